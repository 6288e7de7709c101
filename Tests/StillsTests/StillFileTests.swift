import Imaging
import Stills
import TestSupport
import Testing
import Timebase

/// Still files, taken apart byte by byte; what other programs make of them is tested with the contract's rows.
struct StillFileTests {
    private static func metadata() -> StillMetadata {
        var metadata = StillMetadata()
        metadata.exposure = .milliseconds(8)
        metadata.iso = 100
        metadata.time = Instant(nanoseconds: 1_795_270_400_123_456_789)
        metadata.model = "test camera"
        return metadata
    }

    private static func picture(channels: Int, bits: Int = 8) throws -> DevelopedImage {
        let size = try #require(FrameSize(width: 24, height: 16))
        var random = SeededGenerator(seed: 4)
        let bytes = (0..<24 * 16 * channels * bits / 8)
            .map { _ in UInt8.random(in: 0...255, using: &random) }
        return try #require(
            DevelopedImage(size: size, channels: channels, bitsPerSample: bits, bytes: bytes))
    }

    @Test(arguments: [1, 3])
    func `a JPEG begins with EXIF and ends where it should`(channels: Int) throws {
        let file = try StillFile.jpeg(Self.picture(channels: channels), Self.metadata())
        #expect(Array(file.prefix(4)) == [0xFF, 0xD8, 0xFF, 0xE1])
        #expect(Array(file[6..<12]) == Array("Exif".utf8) + [0, 0])
        #expect(Array(file[12..<16]) == [0x49, 0x49, 42, 0])
        #expect(Array(file.suffix(2)) == [0xFF, 0xD9])
        // Once more: not a byte differs.
        #expect(try StillFile.jpeg(Self.picture(channels: channels), Self.metadata()) == file)
    }

    @Test(arguments: [1, 3], [8, 16])
    func `a TIFF holds exactly the picture's bytes`(channels: Int, bits: Int) throws {
        let picture = try Self.picture(channels: channels, bits: bits)
        let file = try StillFile.tiff(picture, Self.metadata())
        let directory = try Directory(file)
        #expect(directory.number(256) == 24)
        #expect(directory.number(257) == 16)
        #expect(directory.number(277) == channels)
        let start = try #require(directory.number(273))
        #expect(directory.number(279) == picture.bytes.count)
        #expect(Array(file[start..<start + picture.bytes.count]) == picture.bytes)
    }

    @Test func `a DNG widens samples of eight bits and leaves deeper ones alone`() throws {
        for name in ["SBGGR8", "SBGGR12", "GREY", "Y10"] {
            let format = try #require(PixelFormat.named(name))
            let size = try #require(FrameSize(width: 6, height: 4))
            let samples = (0..<24).map { ($0 * 97) % (format.maximum + 1) }
            let frame = samples.flatMap {
                format.bytesPerSample == 2 ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0)]
            }
            let file = try frame.withUnsafeBytes {
                try StillFile.dng($0, RawDescription(format: format, size: size), Self.metadata())
            }
            let directory = try Directory(file)
            let start = try #require(directory.number(273))
            let found = (0..<24).map { (index: Int) -> Int in
                let place = start + 2 * index
                return Int(file[place]) | Int(file[place + 1]) << 8
            }
            #expect(found == samples, "\(name)")
            #expect(directory.number(262) == (format.samples == .mono ? 34_892 : 32_803))
            #expect(directory.number(50717) == format.maximum)
        }
    }

    @Test func `what a format can't hold is refused in words`() throws {
        let deep = try Self.picture(channels: 3, bits: 16)
        #expect(throws: StillError.self) { try StillFile.jpeg(deep, Self.metadata()) }
        let format = try #require(PixelFormat.named("YUYV"))
        let size = try #require(FrameSize(width: 2, height: 2))
        let error = #expect(throws: StillError.self) {
            try [UInt8](repeating: 0, count: 8).withUnsafeBytes {
                try StillFile.dng($0, RawDescription(format: format, size: size), StillMetadata())
            }
        }
        #expect(error?.description.contains("YUYV") == true)
        let raw = try #require(PixelFormat.named("SRGGB8"))
        #expect(throws: StillError.self) {
            try [UInt8](repeating: 0, count: 3).withUnsafeBytes {
                try StillFile.dng($0, RawDescription(format: raw, size: size), StillMetadata())
            }
        }
    }

    @Test func `levels and gains that mean nothing are refused`() throws {
        let format = try #require(PixelFormat.named("SRGGB8"))
        let size = try #require(FrameSize(width: 2, height: 2))
        let wrong = [
            RawDescription(format: format, size: size, white: -1),
            RawDescription(format: format, size: size, black: [255]),
            RawDescription(format: format, size: size, black: [1, 2]),
            RawDescription(
                format: format, size: size,
                gains: ChannelGains(redMillionths: 0, blueMillionths: 1_000_000)),
        ]
        for raw in wrong {
            #expect(throws: StillError.self) {
                try [UInt8](repeating: 0, count: 4).withUnsafeBytes {
                    try StillFile.dng($0, raw, StillMetadata())
                }
            }
        }
    }

    @Test func `text that is not ASCII, or far too long, does no harm`() throws {
        var metadata = Self.metadata()
        metadata.summary = String(repeating: "Bürette ", count: 10_000)
        metadata.make = "\u{0}\n\u{1F4F7}"
        let file = try StillFile.jpeg(Self.picture(channels: 3), metadata)
        #expect(file.count < 60_000)
    }
}

/// The first directory of a TIFF, read by hand.
private struct Directory {
    private var numbers: [Int: Int] = [:]

    init(_ file: [UInt8]) throws {
        func word(_ at: Int) -> Int { Int(file[at]) | Int(file[at + 1]) << 8 }
        func long(_ at: Int) -> Int { word(at) | word(at + 2) << 16 }
        try #require(file.count > 8 && long(0) == 0x002A_4949)
        let start = long(4)
        var last = 0
        for entry in 0..<word(start) {
            let at = start + 2 + entry * 12
            #expect(word(at) > last, "tags ascend")
            last = word(at)
            if long(at + 4) == 1 {
                numbers[word(at)] = word(at + 2) == 3 ? word(at + 8) : long(at + 8)
            }
        }
    }

    /// A tag with one short or long value.
    func number(_ tag: Int) -> Int? { numbers[tag] }
}
