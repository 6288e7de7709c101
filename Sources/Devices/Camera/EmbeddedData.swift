/// The registers that a sensor sends along with each frame: what it was really exposed with.
///
/// The SMIA tag format: a line begins with 0x0a, then pairs of tag and byte follow. 0xaa sets the high byte of the
/// register's address, 0xa5 the low one, 0x5a is the value of a register and goes on to the next, 0x55 passes one over,
/// 0x07 0x07 ends the line. Packed formats put dummies of 0x55 where they keep their low bits.
public struct EmbeddedData: BitwiseCopyable, Hashable, Sendable {
    /// How bytes lie in a line, by the bits of a sample.
    public enum Packing: Int, BitwiseCopyable, Hashable, Sendable, CaseIterable {
        /// Every byte counts.
        case bits8 = 8
        /// Every fifth byte is a dummy.
        case bits10 = 10
        /// Every third byte is a dummy.
        case bits12 = 12
        /// The last three bytes of seven are dummies.
        case bits14 = 14

        /// Whether the byte at this place of a line is a dummy.
        func isDummy(at place: Int) -> Bool {
            switch self {
            case .bits8: false
            case .bits10: place % 5 == 4
            case .bits12: place % 3 == 2
            case .bits14: place % 7 >= 4
            }
        }
    }

    /// Why a line is not embedded data, with its place in the data.
    public enum Problem: Error, Hashable, Sendable {
        /// The line does not begin with 0x0a.
        case noLineStart(byte: Int)
        /// A dummy is not 0x55.
        case badDummy(byte: Int)
        /// There is no such tag.
        case unknownTag(byte: Int)
        /// 0x07 does not come twice, or the line stops without it.
        case noLineEnd(byte: Int)
    }

    /// Lines of exposure; nil where the sensor did not send them.
    public let exposureLines: UInt16?
    /// The code of the analogue gain.
    public let gainCode: UInt16?
    /// Lines of the frame.
    public let frameLines: UInt16?
    /// Pixels of a line.
    public let linePixels: UInt16?
    /// The sensor's temperature in degrees Celsius, where it lies in −20…80: the sensor has no other.
    public let temperature: Int8?
    /// The sensor's own number of the frame, modulo 256.
    public let frameCount: UInt8?

    /// Reads the lines of one frame; allocates nothing.
    ///
    /// - Parameters:
    ///   - data: the lines, one after the other.
    ///   - lineByteCount: bytes from the start of one line to the next; positive.
    ///   - packing: how bytes lie in them.
    ///   - registers: where the sensor has its figures.
    /// - Throws: ``Problem`` at the first byte that can't be: nothing of such data is to be believed.
    public init(
        _ data: UnsafeRawBufferPointer, lineByteCount: Int, packing: Packing,
        registers: EmbeddedDataFormat = .smia
    ) throws(Problem) {
        precondition(lineByteCount > 0, "a line has bytes")
        var bytes = RegisterBytes()
        var start = 0
        while start < data.count {
            let end = min(start + lineByteCount, data.count)
            try Self.read(
                EmbeddedLine(data: data, start: start, end: end, packing: packing), registers,
                into: &bytes)
            start += lineByteCount
        }
        exposureLines = bytes.value(0, registers.exposure)
        gainCode = bytes.value(2, registers.gain)
        frameLines = bytes.value(4, registers.frameLines)
        linePixels = bytes.value(6, registers.linePixels)
        temperature = bytes[8].map { Int8(bitPattern: $0) }.flatMap {
            (-20...80).contains($0) ? $0 : nil
        }
        frameCount = bytes[10]
    }

    private static func read(
        _ line: EmbeddedLine, _ registers: EmbeddedDataFormat, into bytes: inout RegisterBytes
    ) throws(Problem) {
        var line = line
        guard try line.next() == 0x0a else { throw .noLineStart(byte: line.start) }
        var register: UInt16 = 0
        while true {
            let place = line.place
            guard let tag = try line.next(), let value = try line.next() else {
                throw .noLineEnd(byte: line.end)
            }
            switch tag {
            case 0xaa: register = register & 0x00ff | UInt16(value) << 8
            case 0xa5: register = register & 0xff00 | UInt16(value)
            case 0x5a:
                if let slot = registers.slot(of: register) { bytes[slot] = value }
                register &+= 1
            case 0x55: register &+= 1
            case 0x07:
                guard value == 0x07 else { throw .noLineEnd(byte: place) }
                return
            default: throw .unknownTag(byte: place)
            }
        }
    }
}

/// The registers' bytes, as far as they were sent.
private struct RegisterBytes {
    private var bytes = InlineArray<12, Int16>(repeating: -1)

    subscript(slot: Int) -> UInt8? {
        get { UInt8(exactly: bytes[slot]) }
        set { bytes[slot] = newValue.map { Int16($0) } ?? -1 }
    }

    /// The figure at a slot: a byte, or two of which the first is the high one.
    func value(_ slot: Int, _ register: EmbeddedDataFormat.Register?) -> UInt16? {
        if register?.byteCount == 1 { return self[slot].map { UInt16($0) } }
        guard let high = self[slot], let low = self[slot + 1] else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }
}

/// The bytes of a line that are no dummies, one by one.
private struct EmbeddedLine {
    let data: UnsafeRawBufferPointer
    let start: Int
    let end: Int
    let packing: EmbeddedData.Packing
    /// The next byte's place in the data.
    private(set) var place: Int

    init(data: UnsafeRawBufferPointer, start: Int, end: Int, packing: EmbeddedData.Packing) {
        (self.data, self.start, self.end, self.packing) = (data, start, end, packing)
        place = start
    }

    /// The next byte; nil at the end of the line.
    mutating func next() throws(EmbeddedData.Problem) -> UInt8? {
        while place < end, packing.isDummy(at: place - start) {
            guard data[place] == 0x55 else { throw .badDummy(byte: place) }
            place += 1
        }
        guard place < end else { return nil }
        defer { place += 1 }
        return data[place]
    }
}
