public import Timebase

/// Which of a sensor's registers hold what its frames were exposed with; ``EmbeddedData`` reads them.
///
/// Every known sensor sends them in the tags of SMIA; which register holds what is the sensor's own.
public struct EmbeddedDataFormat: BitwiseCopyable, Hashable, Sendable {
    /// A register, or two of which the first has the high byte.
    public struct Register: BitwiseCopyable, Hashable, Sendable {
        /// The address of the first.
        public let address: UInt16
        /// 1 or 2.
        public let byteCount: Int

        /// Creates a place; of two registers unless stated otherwise.
        public init(_ address: UInt16, byteCount: Int = 2) {
            precondition((1...2).contains(byteCount), "a figure has one byte or two")
            self.address = address
            self.byteCount = byteCount
        }
    }

    /// Frames at the start of a stream that show whose metadata are.
    ///
    /// Three that agree, behind the longest delay of four.
    public static let framesToIdentify = 7

    /// Lines of exposure.
    public var exposure: Register?
    /// The code of the analogue gain.
    public var gain: Register?
    /// Lines of the frame.
    public var frameLines: Register?
    /// Pixels of a line.
    public var linePixels: Register?
    /// The sensor's temperature in degrees Celsius, one byte.
    public var temperature: Register?
    /// The number of the frame, one byte that goes round.
    public var frameCount: Register?

    /// Creates a map without registers.
    public init() {}

    /// The registers of SMIA, which imx477 and imx708 have.
    public static let smia: EmbeddedDataFormat = {
        var format = EmbeddedDataFormat()
        format.exposure = Register(0x0202)
        format.gain = Register(0x0204)
        format.frameLines = Register(0x0340)
        format.linePixels = Register(0x0342)
        format.temperature = Register(0x013a, byteCount: 1)
        format.frameCount = Register(0x0005, byteCount: 1)
        return format
    }()

    /// Where a register's byte is kept; nil for one that is of no use.
    func slot(of register: UInt16) -> Int? {
        Self.place(register, exposure, 0) ?? Self.place(register, gain, 2)
            ?? Self.place(register, frameLines, 4) ?? Self.place(register, linePixels, 6)
            ?? Self.place(register, temperature, 8) ?? Self.place(register, frameCount, 10)
    }

    private static func place(_ register: UInt16, _ wanted: Register?, _ slot: Int) -> Int? {
        guard let wanted, register >= wanted.address else { return nil }
        let offset = Int(register - wanted.address)
        return offset < wanted.byteCount ? slot + offset : nil
    }
}

extension CameraProfile {
    /// The longest frame that any register of two bytes holds, where the profile does not state it.
    private static let longestCountedFrame: Int64 = 65_500
    /// Drivers that count two lines as one keep frames even.
    private static let halvingTolerance: Int64 = 2

    /// The exposure that a sensor's registers stand for: they hold the exposure control's codes, or for modes and long
    /// frames that are counted in several lines, that part of them.
    ///
    /// The registers do not show in how many lines they count. So where it is not one, they are believed only beside a
    /// frame length that is the plan's in the same counts.
    ///
    /// - Parameter frameLines: the frame length in force; nil for the profile's.
    /// - Returns: nil where they do not hold it, and for frames so long that they can't.
    public func exposure(of data: EmbeddedData, frameLines: Int64? = nil) -> Interval? {
        guard let counts = data.exposureLines, let exposure else { return nil }
        let lines = Int64(counts) * exposure.codesPerCount
        guard let timing else { return exposure.duration(ofCode: lines) }
        let frameLines = frameLines ?? timing.frameLines
        let longest = sensor?.frameRegisterMaximum ?? Self.longestCountedFrame
        guard frameLines / exposure.codesPerCount <= longest else { return nil }
        if exposure.codesPerCount > 1 {
            guard let frame = data.frameLines,
                Int64(frame) * exposure.codesPerCount == frameLines
            else { return nil }
        } else if let frame = data.frameLines,
            abs(frameLines - 2 * Int64(frame)) <= Self.halvingTolerance
        {
            // Counted in two lines, of which the profile does not know.
            return nil
        }
        guard let pixels = data.linePixels,
            let line = CodeDuration(
                linePixels: Int64(pixels), pixelRateHertz: timing.pixelRateHertz)
        else { return exposure.duration(ofCode: lines) }
        return line.duration(ofCodes: lines) + exposure.offset
    }

    /// The gain, in millionths, that they stand for; nil where they do not hold it.
    public func gainMillionths(of data: EmbeddedData) -> Int64? {
        data.gainCode.flatMap { gain?.gain(ofCode: Int64($0))?.millionths }
    }
}
