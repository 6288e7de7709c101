import Devices
import Notation

/// `meter`: what is metered before the first frame, and then locked.
///
/// No step of the run: the sequence's reader takes it out, and what was found is locked when the recipe is compiled for
/// the second time. A run itself knows no automatics.
enum MeterKeys {
    /// How something is metered; `auto` is the only word so far, and leaves room for others.
    private enum Mode: String, CaseIterable {
        case auto
    }

    private static let auto = Form<Mode>.word

    private static let exposure = Key(
        "exposure", auto, "`auto`: exposure duration and gain are metered, then locked.")
    private static let focus = Key("focus", auto, "`auto`: the lens is focused, then locked.")
    private static let whiteBalance = Key(
        "white_balance", auto,
        "`auto`: the centre of the picture is taken for gray, then white balance is locked.")

    static let shape = MappingShape(
        "`meter`", name: "meter",
        "Meters before the first frame and locks what is found for the run; only as the first step.",
        keys: [exposure.shape, focus.shape, whiteBalance.shape],
        rules: [.atLeastOne(["exposure", "focus", "white_balance"])])

    /// What is metered: the keys that are there with a value that could be read.
    ///
    /// - Parameter range: the step's key, where later diagnostics point to.
    static func need(_ read: MappingReader, at range: SourceRange) -> MeteringNeed {
        MeteringNeed(
            exposure: read(exposure) != nil, focus: read(focus) != nil,
            whiteBalance: read(whiteBalance) != nil, range: range)
    }

    /// The lock with what is metered left where metering leaves it; what has a value as well is refused.
    ///
    /// - Parameters:
    ///   - lock: as the recipe has it.
    ///   - need: what is metered; its settings become `current`, at the place of `meter`.
    ///   - context: gets `locked-and-metered`.
    static func lock(_ lock: Lock, _ need: MeteringNeed, _ context: DecodingContext) -> Lock {
        var lock = lock
        func take<Value>(_ setting: inout Located<Setting<Value>>?, _ name: String) {
            if let setting {
                context.report(
                    "locked-and-metered", at: setting.range, "\(name) is locked and metered too",
                    notes: [context.note("metered here", at: need.range)],
                    hint: "leave it out of `lock`, or out of `meter`")
            }
            setting = Located(.current, at: need.range)
        }
        if need.exposure {
            take(&lock.exposure, "exposure duration")
            take(&lock.gain, "gain")
        }
        if need.focus { take(&lock.lens, "the lens") }
        if need.whiteBalance { take(&lock.whiteBalance, "white balance") }
        return lock
    }
}
