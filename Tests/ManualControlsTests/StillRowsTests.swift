import Devices
import Engine
import Foundation
import Imaging
import Notation
import Recipes
import Records
import Simulation
import Stills
import TestSupport
import Testing
import Timebase

/// Stills, previews and what other programs read from them.
@Suite("Stills and previews")
struct StillRowsTests {
    private static func metadata() throws -> StillMetadata {
        var metadata = StillMetadata()
        metadata.exposure = .microseconds(1_250)
        metadata.iso = 400
        metadata.apertureThousandths = 1_800
        metadata.biasThousandths = -1_500
        metadata.metering = .spot
        // 2026-11-20T14:03:22.000250000Z.
        metadata.time = Instant(nanoseconds: 1_795_183_402_000_250_000)
        metadata.orientation = try #require(Orientation(degrees: 90))
        metadata.make = "maker"
        metadata.model = "camera 1"
        metadata.software = "framelock 0.0.0"
        metadata.summary = "run, slot 3"
        return metadata
    }

    private static func file(
        _ format: StillFormat, pixels name: String = "SRGGB8", in folder: StillFolderOfTest
    ) throws -> String {
        let pixels = try #require(PixelFormat.named(name))
        let size = try #require(FrameSize(width: 32, height: 24))
        let frame = (0..<32 * 24).map { UInt8($0 % 251) }
        let bytes = try frame.withUnsafeBytes { frame in
            if format == .dng {
                return try StillFile.dng(
                    frame, RawDescription(format: pixels, size: size), metadata())
            }
            let development = try #require(
                Development(pixels, size: size, settings: DevelopmentSettings()))
            let image = development.image(of: frame)
            return switch format {
            case .jpeg: try StillFile.jpeg(image, metadata())
            case .png: try StillFile.png(image, metadata())
            case .tiff, .dng: try StillFile.tiff(image, metadata())
            }
        }
        return try folder.file("still.\(format.fileExtension)", bytes)
    }

    @Test("O1 every kind of still carries complete EXIF", arguments: StillFormat.allCases)
    func completeMetadata(format: StillFormat) throws {
        let folder = try StillFolderOfTest()
        let tags = try StillReaders.exiftool(Self.file(format, in: folder))
        func number(_ name: String) -> Double { (tags[name] as? NSNumber)?.doubleValue ?? .nan }
        // libtiff keeps seven digits of a rational.
        #expect(abs(number("ExposureTime") - 0.001_25) < 1e-9)
        #expect(abs(number("FNumber") - 1.8) < 1e-6)
        #expect(number("ISO") == 400)
        #expect(number("ISOSpeed") == 400)
        #expect(number("SensitivityType") == 3)
        #expect(number("ExposureCompensation") == -1.5)
        #expect(number("MeteringMode") == 3)
        #expect(number("ExposureProgram") == 1)
        #expect(number("ExposureMode") == 1)
        #expect(number("WhiteBalance") == 1)
        // D10: turned by metadata, not in the pixels.
        #expect(number("Orientation") == 6)
        #expect(number("ImageWidth") == 32 && number("ImageHeight") == 24)
        #expect(
            tags["SubSecDateTimeOriginal"] as? String == "2026:11:20 14:03:22.000250000+00:00")
        #expect(tags["OffsetTimeOriginal"] as? String == "+00:00")
        #expect(tags["Make"] as? String == "maker" && tags["Model"] as? String == "camera 1")
        #expect(tags["Software"] as? String == "framelock 0.0.0")
        #expect(tags["UserComment"] as? String == "run, slot 3")
        #expect(tags["Warning"] == nil, "\(tags["Warning"] ?? "")")
        #expect(tags["FileType"] as? String == format.rawValue.uppercased())
    }

    @Test("O1 exiftool finds nothing wrong", arguments: StillFormat.allCases, ["GREY", "SRGGB8"])
    func validMetadata(format: StillFormat, pixels: String) throws {
        let folder = try StillFolderOfTest()
        let file = try Self.file(format, pixels: pixels, in: folder)
        #expect(try StillReaders.exiftoolWarnings(file) == [])
    }

    @Test("D10 an orientation is EXIF's, for all eight, and no pixel moves")
    func orientations() throws {
        let folder = try StillFolderOfTest()
        let size = try #require(FrameSize(width: 4, height: 2))
        let image = try #require(
            DevelopedImage(
                size: size, channels: 1, bitsPerSample: 8, bytes: [1, 2, 3, 4, 5, 6, 7, 8]))
        var codes: Set<Int> = []
        var strips: Set<[UInt8]> = []
        for degrees in [0, 90, 180, 270] {
            for isMirrored in [false, true] {
                var metadata = StillMetadata()
                let orientation = Orientation(degrees: degrees, isMirrored: isMirrored)
                metadata.orientation = try #require(orientation)
                let file = try StillFile.tiff(image, metadata)
                let tags = try StillReaders.exiftool(folder.file("turned.tif", file))
                codes.insert(try #require(tags["Orientation"] as? Int))
                let start = try #require(tags["StripOffsets"] as? Int)
                strips.insert(Array(file[start..<start + 8]))
            }
        }
        #expect(codes == Set(1...8))
        #expect(strips == [image.bytes])
    }

    @Test("O1 exiftool and dcraw agree on a DNG's levels, colours and samples")
    func rawDescription() throws {
        let folder = try StillFolderOfTest()
        let size = try #require(FrameSize(width: 40, height: 30))
        var random = SeededGenerator(seed: 6)
        let samples = (0..<1_200).map { _ in Int.random(in: 0...1_023, using: &random) }
        let frame = samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let patterns: [(BayerPattern, String, String)] = [
            (.rggb, "0 1 1 2", "RG/GB"), (.grbg, "1 0 2 1", "GR/BG"),
            (.gbrg, "1 2 0 1", "GB/RG"), (.bggr, "2 1 1 0", "BG/GR"),
        ]
        for (pattern, codes, letters) in patterns {
            let raw = RawDescription(
                format: try #require(PixelFormat.named("S\(pattern.rawValue)10")), size: size,
                black: [60, 61, 62, 63], white: 1_000,
                gains: ChannelGains(redMillionths: 3_381_921, blueMillionths: 1_493_407))
            var metadata = try Self.metadata()
            metadata.orientation = .identity
            let bytes = try frame.withUnsafeBytes { try StillFile.dng($0, raw, metadata) }
            let file = try folder.file("raw.dng", bytes)
            let tags = try StillReaders.exiftool(file)
            #expect(tags["CFAPattern2"] as? String == codes)
            #expect(tags["BlackLevel"] as? String == "60 61 62 63")
            #expect(tags["WhiteLevel"] as? Int == 1_000)
            #expect(tags["BitsPerSample"] as? Int == 16)
            #expect(tags["UniqueCameraModel"] as? String == "camera 1")
            let neutral = try #require(tags["AsShotNeutral"] as? String)
                .split(separator: " ").compactMap { Double($0) }
            // 1 / gains.
            #expect(abs(neutral[0] - 0.295_690) < 1e-6 && neutral[1] == 1)
            #expect(abs(neutral[2] - 0.669_610) < 1e-6)
            let seen = try StillReaders.dcraw(file)
            #expect(seen["Filter pattern"] == letters)
            #expect(seen["ISO speed"] == "400" && seen["Shutter"] == "1/800.0 sec")
            #expect(seen["Aperture"] == "f/1.8")
            #expect(seen["Camera"] == "maker camera 1")
            #expect(seen["Camera multipliers"]?.hasPrefix("3.38192") == true)
            #expect(seen["Timestamp"]?.hasPrefix("Fri Nov 20 14:03:22 2026") == true)
            #expect(try StillReaders.dcrawSamples(file) == samples)
        }
    }

    @Test("O1 a measured matrix becomes DNG's ColorMatrix1, and white stays the shot's neutral")
    func colourMatrix() throws {
        let folder = try StillFolderOfTest()
        let size = try #require(FrameSize(width: 8, height: 8))
        let raw = RawDescription(
            format: try #require(PixelFormat.named("SRGGB8")), size: size,
            gains: ChannelGains(redMillionths: 2_000_000, blueMillionths: 1_600_000),
            matrixMillionths: [
                1_800_000, -600_000, -200_000, -300_000, 1_500_000, -200_000, 50_000, -550_000,
                1_500_000,
            ])
        let bytes = try [UInt8](repeating: 7, count: 64)
            .withUnsafeBytes { try StillFile.dng($0, raw, Self.metadata()) }
        let tags = try StillReaders.exiftool(folder.file("matrix.dng", bytes))
        let matrix = try #require(tags["ColorMatrix1"] as? String)
            .split(separator: " ").compactMap { Double($0) }
        try #require(matrix.count == 9)
        // D65 in XYZ (IEC 61966-2-1) through the matrix is what a grey is in raw colours: 1 / gains.
        let white = [0.950_5, 1, 1.089]
        let found = (0..<3).map { row in
            (0..<3).reduce(0.0) { $0 + matrix[row * 3 + $1] * white[$1] }
        }
        for (a, b) in zip(found, [0.5, 1, 0.625]) { #expect(abs(a - b) < 2e-3, "\(found)") }
        #expect(tags["CalibrationIlluminant1"] as? Int == 21)
    }
}
