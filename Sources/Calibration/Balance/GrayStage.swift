internal import Devices
internal import Imaging
internal import Timebase

/// Writes controls and reads what a grey card looks like once they must show.
struct GrayStage: CalibrationStage {
    /// Frames that are summed; damaged ones are not counted among them.
    private static let readingCount = 8

    private var toWrite: [ControlValue]
    private var framesToSkip: Int
    /// What the card looked like; fewer than the frames read where the format has no colour.
    private(set) var readings: [GrayWorld] = []
    private var framesRead = 0

    /// Creates the stage.
    ///
    /// - Parameters:
    ///   - values: each is written in a call of its own, in order; may be empty.
    ///   - frames: to be skipped after the last write.
    init(_ values: [ControlValue], skipping frames: Int) {
        toWrite = values
        framesToSkip = frames
    }

    var subjects: FrameMeter.Subjects { framesToSkip > 0 ? [] : .balance }

    mutating func next(at now: Instant<Monotonic>) throws(CalibrationError) -> CalibrationStep {
        if framesRead >= Self.readingCount { return .finish }
        return toWrite.isEmpty ? .wait(until: .distantFuture) : .write([toWrite.removeFirst()])
    }

    mutating func handle(_ event: CalibrationEvent) {
        guard case .frame(let frame) = event, toWrite.isEmpty else { return }
        if framesToSkip > 0 {
            framesToSkip -= 1
        } else if !frame.isDamaged {
            framesRead += 1
            if let reading = frame.reading.balance { readings.append(reading) }
        }
    }

    /// Red and blue over green, in millionths, over all frames, rounded to the nearest.
    ///
    /// Sums are added before they are divided, so that bright frames do not count less than dark ones.
    ///
    /// - Throws: ``CalibrationError`` where the card is too dark, too bright or not seen in colour.
    func ratios() throws(CalibrationError) -> (red: Int64, blue: Int64) {
        guard !readings.isEmpty else {
            throw CalibrationError(
                "this format has no colour: stream a Bayer, YUYV or RGB format (--pixels)", .camera)
        }
        guard readings.allSatisfy(\.isEnough) else {
            throw CalibrationError(
                "the middle of the picture is too dark or saturated: fill it with the grey card, and expose"
                    + " it between a tenth and nine tenths of full scale")
        }
        let green = readings.reduce(Int128(0)) { $0 + Int128($1.green) }
        func ratio(_ colour: (GrayWorld) -> Int64) -> Int64 {
            let sum = readings.reduce(Int128(0)) { $0 + Int128(colour($1)) }
            return Int64(clamping: (sum * 2_000_000 + green) / (2 * max(1, green)))
        }
        return (ratio(\.red), ratio(\.blue))
    }
}
