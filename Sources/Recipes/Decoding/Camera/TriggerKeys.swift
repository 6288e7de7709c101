import Devices
import Notation
import Timebase

/// `trigger` of a camera profile: what the run needs to match each frame with its edge.
enum TriggerKeys {
    private static let exposure = Key(
        "exposure", Form<TriggerModel.Exposure>.word, required: true,
        "What ends an exposure: `timed`, the exposure control; `pulse`, the end of the pulse.")
    /// Only with `pulse`; a timed exposure's offset belongs to the exposure.
    private static let offset = Key(
        "offset", Form<Interval>.durationOrZero,
        "What an exposure is longer than the pulse that makes it; 0 if left out.")
    private static let delay = Key(
        "delay", delayForm, required: true,
        "Time from edge to start of readout besides the exposure.")
    /// Nil where nobody noted it; then an edge is sure to be taken only a frame time after an exposure.
    private static let deadTime = Key(
        "dead_time", deadTimeForm,
        "How long no other edge is taken; left out, nothing but the exposure is sure.")
    private static let warmUp = Key(
        "warm_up", Form<Int>.count(0...1_000),
        "Frames after stream start that edges make and that are not used; 0 if left out.")
    /// Nil where the switch is made outside, for example by a module parameter.
    private static let mode = Key(
        "mode", modeForm, "The control that switches to the line; left out, that is done outside.")

    static let form = Form<TriggerModel>.mapping(
        MappingShape(
            "a trigger model", "How the camera is exposed by the edges of a line.",
            keys: [
                exposure.shape, offset.shape, delay.shape, deadTime.shape, warmUp.shape, mode.shape,
            ])
    ) { read in
        let (exposure, delay) = (read(Self.exposure), read(Self.delay))
        let (deadTime, warmUp, mode) = (read(Self.deadTime), read(Self.warmUp), read(Self.mode))
        let offset = read(Self.offset)
        guard let exposure, let delay else { return nil }
        if let offset, offset > .zero, exposure == .timed {
            read.context.report(
                "out-of-range", at: read.valueRange(Self.offset),
                "the exposure control sets how long a `timed` exposure is: its `offset` belongs there"
            )
            return nil
        }
        var model = TriggerModel(
            exposure: exposure, shortestDelay: delay.range.shortest,
            longestDelay: delay.range.longest, delayOrigin: delay.origin, deadTime: deadTime,
            warmUpFrames: warmUp ?? 0, mode: mode)
        model.pulseOffset = offset ?? .zero
        return model
    }

    // MARK: Times

    private static let least = Key(
        "min", Form<Interval>.durationOrZero, required: true, "The least.")
    private static let most = Key(
        "max", Form<Interval>.durationOrZero, required: true, "The most.")

    /// A least and a most; nil where one is missing or they are the wrong way round, which is reported.
    private static func range(
        _ read: MappingReader
    ) -> (shortest: Interval, longest: Interval)? {
        let (least, most) = (read(Self.least), read(Self.most))
        guard let least, let most else { return nil }
        guard least <= most else {
            read.context.report(
                "out-of-range", at: read.valueRange(Self.most),
                "`max` is less than `min`")
            return nil
        }
        return (least, most)
    }

    private enum Source: String, CaseIterable, Sendable {
        case exact, assumed
    }

    private static let from = Key(
        "from", Form<Source>.word,
        "`exact`: the device is built to it; `assumed`: a cautious guess.")
    private static let measured = Key(
        "measured", Form<String>.scalar(.date, parse: Quantity.date), "The day it was measured.")

    private struct Delay: Sendable {
        var range: (shortest: Interval, longest: Interval)
        var origin: FigureOrigin
    }

    /// Bounds of the delay with their origin; exactly one of `from` and `measured` states it.
    private static let delayForm = Form<Delay>.mapping(
        MappingShape(
            "a delay", "A time within bounds, and how it is known.",
            keys: [least.shape, most.shape, from.shape, measured.shape],
            rules: [.exactlyOne([["from"], ["measured"]])])
    ) { read in
        let (range, from, day) = (range(read), read(Self.from), read(measured))
        guard let range else { return nil }
        if let day { return Delay(range: range, origin: .measured(on: day)) }
        return from.map { Delay(range: range, origin: $0 == .exact ? .exact : .assumed) }
    }

    private static let after = Key(
        "after", Form<TriggerModel.DeadTime.Origin>.word, required: true,
        "What it is counted from: the `edge`, or the end of the `exposure`.")

    /// Between both bounds an edge may be taken or not.
    private static let deadTimeForm = Form<TriggerModel.DeadTime>.mapping(
        MappingShape(
            "a dead time",
            "Within `min` no other edge is taken, after `max` every one is.",
            keys: [least.shape, most.shape, after.shape])
    ) { read in
        let (range, origin) = (range(read), read(after))
        guard let range, let origin else { return nil }
        return .init(shortest: range.shortest, longest: range.longest, from: origin)
    }

    // MARK: Mode

    private static let code = Form<Int64>.integer(ControlForms.codeRange)
    private static let control = Key(
        "control", ControlForms.control, required: true, "The control.")
    private static let on = Key("on", code, required: true, "Its code for exposures by the line.")
    private static let off = Key(
        "off", code, required: true, "Its code for a free-running stream.")

    /// Both codes, since a free-running recipe has to switch the trigger off.
    private static let modeForm = Form<TriggerModel.Mode>.mapping(
        MappingShape(
            "a trigger mode", "A control and its codes with and without the line.",
            keys: [control.shape, on.shape, off.shape])
    ) { read in
        let (control, on, off) = (read(Self.control), read(Self.on), read(Self.off))
        guard let control, let on, let off else { return nil }
        return .init(control: control, on: on, off: off)
    }
}
