import Devices
import Notation
import Timebase

/// The settings that brackets and sweeps change: one key each, whose value is an axis.
///
/// `bias` and `light` belong to brackets alone and stand with them.
enum AxisKeys {
    /// Ranges count in nanoseconds.
    static let exposure = Key(
        "exposure",
        AxisForm(
            .exposure, change: { .exposure($0) }, whole: { $0.nanoseconds },
            value: { Interval(nanoseconds: $0) }
        ).axis, "Exposure durations.")
    /// Excludes ``gain``: both are the camera's gain.
    static let iso = Key(
        "iso",
        AxisForm(.iso, change: { .gain(.iso($0)) }, whole: { $0 }, value: { $0 }).axis,
        "ISO values.")
    /// Ranges count in millionths.
    static let gain = Key(
        "gain",
        AxisForm(
            .gain, change: { .gain(.gain($0)) }, whole: { $0.millionths },
            value: { Gain(millionths: $0) }
        ).axis, "Linear gains.")
    /// Ranges count in millionths of the way from near to far.
    static let lens = Key(
        "lens",
        AxisForm(
            .lens, change: { .lens($0) }, whole: { $0.millionths },
            value: { LensPosition(millionths: $0) }
        ).axis, "Lens positions.")
    /// Lists only: between two illuminants there is no one way.
    static let whiteBalance = Key(
        "white_balance", AxisForm(WhiteBalanceKeys.form, change: { .whiteBalance($0) }).axis,
        "White balances, for example `[{temperature: 3200 K}, {temperature: 5600 K}]`.")

    /// Lists only; for raw sensors, whose frame length can change from frame to frame.
    static let rate = Key(
        "rate", AxisForm(Form<FrameRate>.rate, change: { .rate($0) }).axis,
        "Frame rates of a raw sensor, for example `[30 fps, 10 fps]`; the exposure must be a known one."
    )

    /// Axes of which a bracket may have several, side by side.
    private static let together = [exposure, iso, gain, rate]
    /// Axes that are a bracket of their own.
    private static let alone = [lens, whiteBalance]
    /// In the order of the reference.
    static let all = [exposure, iso, gain] + alone + [rate]
    /// Which of them go side by side in a bracket.
    static let kinds = [together.map(\.name)] + alone.map { [$0.name] }
    private static let rules: [MappingShape.Rule] = [
        .atLeastOne(all.map(\.name)), .atMostOne(["iso", "gain"]),
    ]

    /// What `for` takes; its order in the file decides which changes slowest.
    static let sweepShape = MappingShape(
        "a sweep", name: "sweep",
        "Settings to go through; of several, the first written changes slowest.",
        keys: all.map(\.shape), rules: rules)

    /// The axes that are there, in the order of the file, with the place of their keys; nil if one is wrong.
    static func read(_ read: MappingReader) -> Axes? { self.read(read, all) }

    /// Axes with the place of their keys.
    typealias Axes = [(range: SourceRange, axis: SettingAxis)]

    /// Those of some axes that are there, in the order of the file.
    ///
    /// - Returns: nil where one is wrong, which is reported, or none is there, which a rule has reported.
    static func read(_ read: MappingReader, _ keys: [Key<SettingAxis>]) -> Axes? {
        var axes: Axes = []
        var isComplete = true
        for name in read.names {
            guard let key = keys.first(where: { $0.name == name }) else { continue }
            if let axis = read(key) {
                axes.append((read.keyRange(key), axis))
            } else {
                isComplete = false
            }
        }
        return isComplete && !axes.isEmpty ? axes : nil
    }
}
