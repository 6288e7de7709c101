import Testing

/// What a frame of the CSI bench says of itself; the layout is told in `hardware/bench/csi/README.md`.
struct CSITruth: Equatable {
    /// Rows that the pattern takes.
    static let rowCount = 64

    /// Frames that the sensor made since its stream began, sent or not.
    let number: Int
    let stream: Int
    let exposureLines: Int
    let exposureNanoseconds: Int
    let gainCode: Int
    /// In 1/65536.
    let gain: Int
    let frameLength: Int
    let lineLength: Int
    /// When its first line went over the bus, on CLOCK_MONOTONIC.
    let startNanoseconds: Int
    let pixelRate: Int
    let lens: Int
    let bits: Int

    /// Nanoseconds of a line.
    var line: Double { Double(lineLength) * 1e9 / Double(pixelRate) }

    /// - Parameters:
    ///   - frame: the bytes of a frame, one or two (lowest first) a pixel.
    ///   - width: pixels of a row.
    ///   - bits: of a pixel.
    init(frame: [UInt8], width: Int, bits: Int) throws {
        let bytesPerPixel = bits > 8 ? 2 : 1
        func isBright(_ row: Int, _ column: Int) -> Bool {
            let place = bytesPerPixel * (row * width + column)
            let value =
                bits > 8 ? Int(frame[place]) | Int(frame[place + 1]) << 8 : Int(frame[place])
            return value >= 1 << (bits - 1)
        }
        let bytes: [UInt8] = (0..<64).map { byte in
            (0..<8).reduce(0) { value, bit in
                value << 1 | (isBright(byte / 8 * 8 + 4, (byte % 8 * 8 + bit) * 8 + 4) ? 1 : 0)
            }
        }
        func word(_ place: Int) -> Int {
            bytes[4 * place..<4 * place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        try #require(word(0) == 0xC51A_0110, "the picture has no pattern")
        let checksum = TruthPattern.crc16(bytes.dropLast(2))
        try #require(checksum == word(15) & 0xFFFF, "the pattern is damaged")
        number = word(1)
        stream = word(2)
        exposureLines = word(3)
        exposureNanoseconds = word(4) << 32 | word(5)
        gainCode = word(6) >> 16
        gain = word(7)
        frameLength = word(8)
        lineLength = word(9)
        startNanoseconds = word(10) << 32 | word(11)
        pixelRate = word(12)
        lens = word(13) >> 16
        self.bits = word(13) & 0xFF
    }
}

extension RunReport {
    /// What each frame of a run in the CSI bench says of itself, in the order of `frames`.
    func sensorTruths(bits: Int) throws -> [CSITruth] {
        let pixels = try pixels()
        let width = summary.configuration.width
        return try frames.map { row in
            let slot = try row.required("slot")
            let frame = try #require(try pixels.frame(slot: slot), "slot \(slot) has no pixels")
            return try CSITruth(frame: frame, width: width, bits: bits)
        }
    }

    /// Everything in which rows differ from what their pictures say, in words; empty if they agree.
    ///
    /// Exposures are compared to the nanosecond, gains to a part in ten thousand (codes are steps of more than that),
    /// times against each row's own bound. What a row leaves empty claims nothing.
    ///
    /// - Parameters:
    ///   - bits: of a pixel.
    ///   - linesBefore: lines that go over the bus before the image; nil for a global shutter, whose rows end as one.
    ///   - ratePerMillion: how far the sensor's pixel rate is from what its driver rounds it to.
    ///   - rowNanoseconds: from row to row, where that is not the line in which the sensor counts.
    func contradictions(
        bits: Int, linesBefore: Int?, ratePerMillion: Double = 0, rowNanoseconds: Double? = nil
    ) throws -> [String] {
        let truths = try sensorTruths(bits: bits)
        let height = Double(summary.configuration.height)
        var found: [String] = []
        for (row, truth) in zip(frames, truths) {
            let slot = row["slot"]
            if let exposure = row.number("applied_exposure_ns"),
                abs(Double(exposure - truth.exposureNanoseconds))
                    > 1 + Double(exposure) * ratePerMillion / 1e6
            {
                found.append("slot \(slot): \(exposure) ns, was \(truth.exposureNanoseconds)")
            }
            let gain = Double(truth.gain) / 65_536
            if let applied = Double(row["applied_gain"]), abs(applied / gain - 1) > 1e-4 {
                found.append("slot \(slot): gain \(applied), was \(gain)")
            }
            // The ledger's centre is half-way through the readout, lines before the image included.
            let rowTime = rowNanoseconds ?? truth.line
            let centre = linesBefore.map { (Double($0) + height - 1) / 2 * rowTime } ?? 0
            guard let end = row.number("session_end_ns"),
                let bound = row.number("session_half_width_ns")
            else { continue }
            let error =
                Double(end + epochNanoseconds - truth.startNanoseconds) - centre
            let start = try row.required("session_start_ns")
            let startError = error + Double(start - end + truth.exposureNanoseconds)
            if max(abs(error), abs(startError)) > Double(bound) + 1 {
                found.append(
                    "slot \(slot): end \(Int(error)), start \(Int(startError)) ns off, with a bound of \(bound)"
                )
            }
        }
        return found
    }
}
