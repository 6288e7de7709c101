internal import ArgumentParser
internal import Devices
internal import Instrument
internal import Logging
internal import Notation
internal import Recipes

/// `framelock white-balance`: one white balance in all its forms.
///
/// Arithmetic alone: no camera is opened, and a profile is read for its curve only.
struct WhiteBalanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "white-balance",
        abstract:
            "Converts between an illuminant's temperature and tint, its chromaticity, and a camera's gains.",
        discussion: """
            Temperature is correlated colour temperature after Ohno (2013). Tint is that of the illuminant, 3000 times \
            its Duv: positive is a greener illuminant, whose correction looks more magenta. Gains need a camera \
            profile with a colour curve; `normalised` are those that the camera gets, at least 1 and no more than it \
            can. `formulas` are temperatures by other methods. Nothing else is clamped; what is out of range is \
            reported.
            """)

    /// Kelvin, with or without `K`.
    @Option(help: ArgumentHelp("The illuminant's colour temperature.", valueName: "kelvin"))
    var temperature: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The illuminant's tint; 0 if left out.", valueName: "number"))
    /// A leading minus is the value's and no option, for which it is parsed `.unconditional`.
    var tint: String?
    /// Two numbers with a comma.
    @Option(help: ArgumentHelp("The illuminant's CIE 1931 chromaticity.", valueName: "x,y"))
    var xy: String?
    /// Three numbers with commas, each with or without an `x`; they need a profile with a curve.
    @Option(help: ArgumentHelp("The camera's channel gains.", valueName: "red,green,blue"))
    var gains: String?
    /// Whose colour curve and largest gain count; nil for none, and then there are no gains.
    @Option(help: ArgumentHelp("The camera profile, by name or file.", valueName: "name"))
    var profile: String?
    @Option(
        help: ArgumentHelp("A folder with camera profiles, searched first.", valueName: "folder"))
    var profiles: String?
    @Flag(help: "Print as JSON.")
    var json = false

    /// Sees to it that exactly one form is given; ``asked()`` relies on it.
    func validate() throws {
        guard [temperature, xy, gains].compactMap({ $0 }).count == 1 else {
            throw ValidationError("give one of --temperature, --xy and --gains")
        }
        guard tint == nil || temperature != nil else {
            throw ValidationError("--tint goes with --temperature")
        }
    }

    /// Converts and prints.
    ///
    /// A profile without a curve is a warning, since the illuminant can be converted all the same.
    func run() throws {
        try Console.run(asJSON: json) {
            let model = try profile.map {
                let library = try ProfileLibrary(folder: profiles)
                try library.require($0)
                return try library.profile(named: $0).whiteBalance
            }
            if let profile, model??.curve == nil {
                Console.log.warning(
                    "camera profile `\(profile)` has no colour curve, so its gains are not known")
            }
            let conversion = try WhiteBalanceConversion(
                asked(), curve: model??.curve,
                maximum: model??.maximumGain ?? WhiteBalanceModel.usualMaximumGain)
            try Console.output(json ? conversion.json.text(.pretty) : conversion.text)
        }
    }

    /// The value of the options, in the form in which they have it; `validate()` has seen to it that there is one.
    private func asked() throws -> WhiteBalance {
        if let temperature {
            let kelvin = try Typed.kelvin("--temperature", temperature).value
            let thousandths = try tint.map {
                try Self.number($0, "--tint", Quantity.signedThousandths)
            }
            return .temperature(kelvin: kelvin, tintThousandths: thousandths ?? 0)
        }
        if let xy {
            let parts = try Self.parts(xy, count: 2, "--xy", example: "0.3127,0.3290")
            guard parts.allSatisfy(Quantity.chromaticities.contains) else {
                throw Failure.usage("--xy takes two numbers from 0.01 to 0.9, as recipes do")
            }
            return .chromaticity(xMillionths: parts[0], yMillionths: parts[1])
        }
        let parts = try Self.parts(
            gains ?? "", count: 3, "--gains", example: "1.95,1,1.42")
        return .gains(
            red: Gain(millionths: parts[0]), green: Gain(millionths: parts[1]),
            blue: Gain(millionths: parts[2]))
    }

    /// Numbers with commas between, in millionths; exit code 64 where there are more or fewer.
    private static func parts(
        _ text: String, count: Int, _ option: String, example: String
    ) throws -> [Int64] {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        guard words.count == count else {
            throw Failure.usage(
                "\(option) \(text): expected \(count) numbers, as in \(option) \(example)")
        }
        return try words.map { word in
            let plain = word.drop { $0 == " " }
            let text = plain.hasSuffix("x") ? plain.dropLast() : plain
            return try number(String(text), option, Quantity.millionths)
        }
    }

    /// A number by a reader of `Quantity`; exit code 64 with its message and hint where it is none.
    private static func number(
        _ text: String, _ option: String,
        _ read: (String) throws(QuantityProblem) -> Int64
    ) throws -> Int64 {
        do {
            return try read(text)
        } catch {
            let hint = error.hint.map { " (\($0))" } ?? ""
            throw Failure.usage("\(option): \(error.message)\(hint)")
        }
    }
}
