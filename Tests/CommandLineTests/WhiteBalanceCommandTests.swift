import Foundation
import Testing

/// `framelock white-balance`: one illuminant in all its forms.
@Suite struct WhiteBalanceCommandTests {
    private struct Converted: Decodable {
        struct Illuminant: Decodable {
            var temperature_k: Int
            var tint: Double
            var duv: Double
        }
        struct Chromaticity: Decodable { var x, y: Double }
        struct Gains: Decodable { var red, green, blue: Double }
        struct Comparison: Decodable {
            var method: String
            var temperature_k: Int
        }
        var illuminant: Illuminant?
        var xy: Chromaticity?
        var compare: [Comparison]
        var gains: Gains?
        var normalised: Gains?
        var clamped: [String]
        var out_of_range: [String]
    }

    private static func convert(_ arguments: String...) throws -> Converted {
        let result = try FramelockProgram.run(["white-balance"] + arguments + ["--json"])
        #expect(result.status == 0, "\(result.stderr)")
        return try JSONDecoder().decode(Converted.self, from: Data(result.stdout.utf8))
    }

    @Test func `D65 has its temperature and tint, by four formulas`() throws {
        let found = try Self.convert("--xy", "0.3127,0.3290")
        let illuminant = try #require(found.illuminant)
        #expect(illuminant.temperature_k == 6504)
        #expect(abs(illuminant.tint - 9.62) < 0.01)
        #expect(abs(illuminant.duv - 0.003207) < 1e-6)
        let others = Dictionary(
            uniqueKeysWithValues: found.compare.map { ($0.method, $0.temperature_k) })
        #expect(others["McCamy"] == 6505 && others["Hernández-Andrés"] == 6501)
        #expect(abs((others["Robertson"] ?? 0) - 6504) < 3)
        #expect(found.gains == nil && found.out_of_range.isEmpty)
    }

    @Test func `a camera's gains come from its profile's curve, and lead back`() throws {
        let found = try Self.convert(
            "--temperature", "5000 K", "--tint", "10", "--profile", "imx477")
        let gains = try #require(found.gains)
        #expect(gains.red > 3.38 && gains.green == 1 && gains.blue > 1.49)
        #expect(found.normalised?.red == gains.red && found.clamped.isEmpty)
        let back = try Self.convert(
            "--gains", "\(gains.red),1,\(gains.blue)", "--profile", "imx477")
        #expect(back.illuminant?.temperature_k == 5000)
        #expect(abs((back.illuminant?.tint ?? 0) - 10) < 0.1)
        let (there, again) = (try #require(found.xy), try #require(back.xy))
        #expect(abs(there.x - again.x) < 1e-4 && abs(there.y - again.y) < 1e-4)
        let pink = try Self.convert(
            "--temperature", "5000", "--tint", "-10", "--profile", "imx477")
        #expect((pink.gains?.red ?? 9) < gains.red && (pink.gains?.blue ?? 9) < gains.blue)
    }

    @Test func `nothing is clamped, and what is out of range is said`() throws {
        let hot = try Self.convert("--temperature", "9000", "--profile", "imx477")
        #expect(
            hot.out_of_range == [
                "9000 K is outside 2850 K to 7600 K (the camera's colour curve, continued in a straight line)"
            ])
        #expect(hot.gains != nil)
        let red = try FramelockProgram.run("white-balance", "--xy", "0.7,0.29")
        #expect(red.status == 0)
        #expect(red.stdout.hasPrefix("illuminant  none"))
        let green = try Self.convert("--temperature", "5000", "--tint", "160")
        #expect(green.out_of_range.count == 1)
        #expect(green.out_of_range[0].hasPrefix("tint 160 is outside -150 to 150"))
    }

    @Test(arguments: [
        (["--temperature", "warm"], "--temperature"), (["--xy", "0.3"], "--xy"),
        (["--gains", "1,1,1"], "name a profile"),
        (["--gains", "0,1,1", "--profile", "imx477"], "above 0"),
        (["--tint", "3", "--xy", "0.3,0.3"], "--tint goes with --temperature"),
        (["--xy", "0.3,0.3", "--temperature", "5000"], "give one of"), ([], "give one of"),
    ])
    func `what makes no sense is refused with the way out`(
        arguments: [String], message: String
    ) throws {
        let result = try FramelockProgram.run(["white-balance"] + arguments)
        #expect(result.status == 64)
        #expect(result.stderr.contains(message), "\(result.stderr)")
    }
}
