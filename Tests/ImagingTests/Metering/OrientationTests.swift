import Imaging
import Testing

@Suite("Orientation")
struct OrientationTests {
    private static let all = [0, 90, 180, 270].flatMap { degrees in
        [false, true].compactMap { Orientation(degrees: degrees, isMirrored: $0) }
    }

    /// Turns a small picture as people would turn a print, and looks where each of its pixels came from.
    @Test func `points map as the pixels of a turned picture do`() throws {
        let (width, height) = (3, 2)
        for orientation in Self.all {
            // The picture as rows of (x, y) of the sensor.
            var picture = (0..<height).map { y in (0..<width).map { x in (x, y) } }
            for _ in 0..<orientation.quarterTurns {
                let before = picture
                picture = before[0].indices.map { column in
                    before.reversed().map { $0[column] }
                }
            }
            if orientation.isMirrored { picture = picture.map { $0.reversed() } }
            for (row, line) in picture.enumerated() {
                for (column, origin) in line.enumerated() {
                    let upright = try Self.middle(column, row, line.count, picture.count)
                    let sensor = try Self.middle(origin.0, origin.1, width, height)
                    let mapped = orientation.sensorPoint(of: upright)
                    #expect(abs(mapped.xMillionths - sensor.xMillionths) <= 1, "\(orientation)")
                    #expect(abs(mapped.yMillionths - sensor.yMillionths) <= 1, "\(orientation)")
                    #expect(orientation.uprightPoint(of: mapped) == upright)
                }
            }
        }
    }

    private static func middle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> FramePoint
    {
        try #require(
            FramePoint(
                xMillionths: Int64((2 * x + 1) * 500_000 / width),
                yMillionths: Int64((2 * y + 1) * 500_000 / height)))
    }

    @Test func `all eight have an EXIF number of their own`() {
        #expect(Set(Self.all.map(\.exif)) == Set(1...8))
        #expect(Orientation.identity.exif == 1)
        #expect(Orientation(degrees: 90)?.exif == 6)
        #expect(Orientation(degrees: 180)?.exif == 3)
        #expect(Orientation(degrees: 270)?.exif == 8)
        #expect(Orientation(degrees: 0, isMirrored: true)?.exif == 2)
        #expect(Orientation(degrees: 180, isMirrored: true)?.exif == 4)
        #expect(Orientation(degrees: -90) == Orientation(degrees: 270))
        #expect(Orientation(degrees: 45) == nil)
        #expect(FramePoint(xMillionths: -1, yMillionths: 0) == nil)
    }
}
