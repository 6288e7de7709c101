internal import Calibration
internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import TestSupport
internal import Timebase

/// Writes figures into every profile file of the project, twice each, and reads what the file then says.
public struct ProfileProof: Proof {
    /// As `framelock-prove` calls it.
    public static let name = "profiles"
    /// What holds.
    public static let claim =
        "figures written into a profile's file say what was meant and leave every other line alone"
    /// Seeds, each on every profile.
    public static let caseCount = 200

    private static let measurement = MeasurementSource(
        by: "framelock calibrate test",
        at: UTCTime(Instant<Realtime>(nanoseconds: 1_795_284_000_000_000_000)))

    private var figureCount = 0
    private var fileCount = 0

    /// Creates a proof without cases.
    public init() {}

    /// How many figures went into how many files.
    public var figures: [String] { ["\(figureCount) figures in \(fileCount) files"] }

    /// Edits every profile, once for each case.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        var complaints: [String] = []
        for seed in cases {
            for name in try ProfileFiles.names() {
                complaints += try check(name, seed).map { "\(name) seed \(seed): \($0)" }
            }
        }
        return complaints
    }

    private mutating func check(_ name: String, _ seed: Int) throws -> [String] {
        var complaints: [String] = []
        var random = SeededGenerator(seed: UInt64(seed))
        var edit = try ProfileEdit(try ProfileFiles.source(name))
        fileCount += 1
        for _ in 0..<2 {
            let before = String(decoding: edit.source.bytes, as: UTF8.self)
            let figures = Self.figures(for: edit.profile, &random)
            figureCount += figures.count
            var meant = Self.meant(figures, edit.profile)
            try edit.set(
                figures.map { MeasuredFigure($0, notes: ["1:2 \(seed)", "two\nthree"]) },
                by: Self.measurement)
            let after = String(decoding: edit.source.bytes, as: UTF8.self)
            let read = try CameraProfileDecoder.decode(
                SourceFile(name: name, bytes: edit.source.bytes))
            meant.startupFrames = read.startupFrames
            if read != meant { complaints.append("what was written is not what was meant") }
            if Self.untouched(after, figures) != Self.untouched(before, figures) {
                complaints.append("a line changed that has nothing to do with a figure")
            }
        }
        return complaints
    }

    /// Figures for a profile with values from a seed; only those that it has a place for.
    private static func figures(
        for profile: CameraProfile, _ random: inout SeededGenerator
    ) -> [ProfileFigure] {
        var figures: [ProfileFigure] = [
            .delay(.nanoseconds(random.number(0...99_999_999))),
            .timestampPoint(random.element(of: [.startOfReadout, .endOfReadout])),
            .shutter(.rolling),
            .readout(random.chance(20) ? nil : .nanoseconds(random.number(0...50_000_000))),
        ]
        func frames() -> Int { Int(random.number(0...32)) }
        if profile.exposure != nil || profile.sensor != nil {
            figures.append(.latency(.exposure, frames: frames()))
        }
        if profile.gain != nil {
            let least = frames() / 2
            figures.append(
                random.chance(50)
                    ? .latency(.gain, frames: frames())
                    : .latencyRange(.gain, frames: least + 1, least: least))
        }
        if profile.sensor != nil {
            figures.append(.latency(.verticalBlanking, frames: frames()))
            figures.append(.embeddedLines(random.number(0...99)))
        }
        if profile.focus != nil {
            figures.append(.latency(.focus, frames: frames()))
            figures.append(.settle(.nanoseconds(random.number(0...9_999_999_999))))
            figures.append(
                .approach(
                    random.chance(30)
                        ? nil
                        : .init(
                            side: random.element(of: [.near, .far]),
                            overTravelCodes: random.number(1...500))))
        }
        if let balance = profile.whiteBalance {
            if !balance.isMetadata { figures.append(.latency(.whiteBalance, frames: frames())) }
            curve(balance.curve, &random).map { figures.append(.curve($0)) }
        }
        // A readout time goes with a rolling shutter only.
        return figures.filter { $0.path == ["shutter"] || random.chance(60) }
    }

    /// The points that there are, some of them left out or changed, and some new ones.
    private static func curve(_ old: ColourCurve?, _ random: inout SeededGenerator) -> ColourCurve?
    {
        var points: [Int64: ColourCurve.Point] = [:]
        for point in old?.points ?? [] where random.chance(70) { points[point.kelvin] = point }
        while points.count < 2 || random.chance(50) {
            let kelvin = random.number(1_500...12_000)
            points[kelvin] = .init(
                kelvin: kelvin, redMillionths: random.number(1_000...4_000_000),
                blueMillionths: random.number(1_000...4_000_000))
        }
        return ColourCurve(points: points.values.sorted { $0.kelvin < $1.kelvin })
    }

    /// The model with the figure, told again in the words of the model alone.
    private static func meant(_ figures: [ProfileFigure], _ profile: CameraProfile) -> CameraProfile
    {
        var meant = profile
        let origin = FigureOrigin.measured(on: "2026-11-21")
        for figure in figures {
            switch figure {
            case .delay(let span): meant.timestamps.delay = span
            case .timestampPoint(let point): meant.timestamps.point = point
            case .shutter(let shutter): meant.shutter = shutter
            case .readout(let span): meant.timestamps.readout = span
            case .settle(let span): meant.focus?.settle = span
            case .approach(let approach): meant.focus?.approach = approach
            case .curve(let curve): meant.whiteBalance?.curve = curve
            case .latencyRange(_, let frames, let least):
                meant.gain?.latencyFrames = frames
                meant.gain?.latencyOrigin = .measuredFrom(least: least, on: "2026-11-21")
            case .embeddedLines(let count): meant.sensor?.embeddedLines = count
            case .lensEnds(let near, let far):
                meant.focus?.nearCode = near
                meant.focus?.farCode = far
            case .latency(.exposure, let frames) where meant.sensor != nil:
                meant.sensor?.exposure.latencyFrames = frames
                meant.sensor?.exposure.latencyOrigin = origin
            case .latency(.exposure, let frames):
                meant.exposure?.latencyFrames = frames
                meant.exposure?.latencyOrigin = origin
            case .latency(.gain, let frames):
                meant.gain?.latencyFrames = frames
                meant.gain?.latencyOrigin = origin
            case .latency(.focus, let frames):
                meant.focus?.latencyFrames = frames
                meant.focus?.latencyOrigin = origin
            case .latency(.whiteBalance, let frames):
                meant.whiteBalance?.latencyFrames = frames
                meant.whiteBalance?.latencyOrigin = origin
            case .latency(_, let frames):
                meant.sensor?.vertical.latencyFrames = frames
                meant.sensor?.vertical.latencyOrigin = origin
            }
        }
        return meant
    }

    /// Lines that speak of none of the figures.
    private static func untouched(_ text: String, _ figures: [ProfileFigure]) -> [Substring] {
        let keys = Set(figures.flatMap(\.path)).union(["red"])
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            !line.hasPrefix("# measured") && !line.drop { $0 == " " }.hasPrefix("# measured")
                && !keys.contains { line.contains("\($0):") }
        }
    }
}
