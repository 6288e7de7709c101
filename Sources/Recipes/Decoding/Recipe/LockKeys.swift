import Devices
import Notation
import Timebase

/// `lock`: the settings that hold for the whole run.
///
/// A key that is left out leaves its setting to the camera. `current` locks what the camera has when the run begins.
enum LockKeys {
    static let focus = Key("focus", focusForm, "The lens: `{lens: 0.42}`, or `current`.")
    static let exposure = Key(
        "exposure", exposureForm,
        "Exposure: `{duration: 8 ms, iso: 100}`, each also `current`; or `current` for both.")
    static let whiteBalance = Key(
        "white_balance", whiteBalanceForm,
        "White balance: `{red: 1.92, blue: 1.64}`, `{temperature: 5200 K}`, `{x: 0.345, y: 0.352}`, or `current`."
    )

    /// The lock, where `exposure` stands for two settings: its `if_supported` is for duration and gain, each by itself.
    static let form = Form<Lock>.mapping(
        MappingShape(
            "`lock`",
            "Settings that hold for the whole run unless a step says otherwise; what is not named is"
                + " the camera's own business.",
            keys: [focus.shape, exposure.shape, whiteBalance.shape])
    ) { read in
        let (focus, both, balance) = (read(focus), read(exposure), read(whiteBalance))
        var ifSupported: [ControlGroup] = []
        if focus?.ifSupported == true { ifSupported.append(.lens) }
        if both?.ifSupported == true { ifSupported += [.exposure, .gain] }
        if balance?.ifSupported == true { ifSupported.append(.whiteBalance) }
        return Lock(
            exposure: both?.duration, gain: both?.gain, lens: focus?.setting,
            whiteBalance: balance?.setting, ifSupported: ifSupported)
    }

    /// False if left out: what the camera does not support is an error then.
    private static let ifSupported = Key(
        "if_supported", Form<Bool>.boolean,
        "`true`: skipped where the camera does not support it, which is recorded; an error there if left out."
    )

    /// A setting, and whether it may be skipped.
    struct Wish<Value: Hashable & Sendable>: Sendable {
        var setting: Located<Setting<Value>>
        var ifSupported = false
    }

    // MARK: Focus

    /// In millionths of the way from near to far, or `current`.
    private static let lens = Key(
        "lens", setting(.lens).located, required: true,
        "Lens position, 0 (nearest) to 1 (farthest), or `current`.")

    /// `current` alone, or a mapping; where a word stands that is neither, `current` is named in the hint.
    private static let focusForm = Form<Wish<LensPosition>>(
        .either([.choice(["current"]), .mapping(focusShape)])
    ) { node, context in
        if context.text(of: node) == "current" {
            return Wish(setting: Located(.current, at: node.range))
        }
        return context.offering("current") {
            MappingReader(node, as: focusShape, context: context).flatMap { read in
                let optional = read(ifSupported)
                return read(lens).map { Wish(setting: $0, ifSupported: optional ?? false) }
            }
        }
    }

    private static let focusShape = MappingShape(
        "a focus", "Where the lens stands.", keys: [lens.shape, ifSupported.shape])

    // MARK: Exposure

    /// What `exposure` asks of its two settings; nil for one that it does not name.
    struct Exposure: Sendable {
        var duration: Located<Setting<Interval>>?
        var gain: Located<Setting<Sensitivity>>?
        var ifSupported = false
    }

    private static let duration = Key(
        "duration", setting(.exposure).located, "Exposure duration, or `current`.")
    /// Excludes ``gain``; the profile turns it into one.
    private static let iso = Key(
        "iso", setting(.isoSensitivity).located, "Sensitivity as ISO, or `current`.")
    private static let gain = Key(
        "gain", setting(.gainSensitivity).located, "Sensitivity as a linear gain, or `current`.")

    private static let exposureShape = MappingShape(
        "an exposure", "Duration, and sensitivity as ISO or gain.",
        keys: [duration.shape, iso.shape, gain.shape, ifSupported.shape],
        rules: [.atLeastOne(["duration", "iso", "gain"]), .atMostOne(["iso", "gain"])])

    /// `current` for duration and gain, or a mapping in which each may be `current` by itself.
    private static let exposureForm = Form<Exposure>(
        .either([.choice(["current"]), .mapping(exposureShape)])
    ) { node, context in
        if context.text(of: node) == "current" {
            return Exposure(
                duration: Located(.current, at: node.range),
                gain: Located(.current, at: node.range))
        }
        return context.offering("current") {
            MappingReader(node, as: exposureShape, context: context).map { read in
                let (byISO, byGain) = (read(iso), read(gain))
                return Exposure(
                    duration: read(duration), gain: byISO ?? byGain,
                    ifSupported: read(ifSupported) ?? false)
            }
        }
    }

    // MARK: White balance

    /// The keys of a white balance and `if_supported`, by the rules of a white balance.
    private static let whiteBalanceShape = MappingShape(
        "a white balance", WhiteBalanceKeys.shape.summary,
        keys: WhiteBalanceKeys.shape.keys + [ifSupported.shape],
        rules: WhiteBalanceKeys.shape.rules)

    /// `current`, or a white balance; its place is that of the whole mapping, since no key of it stands for the others.
    private static let whiteBalanceForm = Form<Wish<WhiteBalance>>(
        .either([.choice(["current"]), .mapping(whiteBalanceShape)])
    ) { node, context in
        if context.text(of: node) == "current" {
            return Wish(setting: Located(.current, at: node.range))
        }
        return context.offering("current") {
            MappingReader(node, as: whiteBalanceShape, context: context).flatMap { read in
                let optional = read(ifSupported)
                return WhiteBalanceKeys.value(read).map {
                    Wish(
                        setting: Located(.value($0), at: node.range),
                        ifSupported: optional ?? false)
                }
            }
        }
    }

    /// A setting's form: its value, or `current`, which stays the camera's and is not known before the run.
    private static func setting<Value>(_ form: Form<Value>) -> Form<Setting<Value>> {
        form.map { Setting.value($0) }.or("current", .current)
    }
}
