import ArgumentParser
import BenchCameraModel

extension ControlBehaviour.WhileAutomatic: ExpressibleByArgument {}

/// How the controls behave.
struct ControlArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Frames from the one being exposed to the first that shows a value.",
            discussion: "For example exposure=2,gain=1."))
    var latency: String?

    @Option(help: "Range and step of a control, e.g. focus=0..1023/8. May be repeated.")
    var range: [String] = []

    @Option(help: "A value written while its automatic is on: refuse, ignore, accept.")
    var whileAutomatic = ControlBehaviour.WhileAutomatic.refuse

    @Option(help: "Refuse every write of a control: CONTROL[:REASON], or invalid-request.")
    var stall: [String] = []

    @Option(help: "Never answer a write of a control, or only after some time: CONTROL[:SECONDS].")
    var hang: [String] = []

    @Option(help: "Acknowledge writes of a control, which never reach the sensor.")
    var ignore: [String] = []

    @Option(help: "Acknowledge writes of a control and lose some: CONTROL:PER_THOUSAND.")
    var lose: [String] = []

    func behaviour() throws -> ControlBehaviour {
        var behaviour = ControlBehaviour()
        behaviour.whileAutomatic = whileAutomatic
        for text in range { try apply(range: text, to: &behaviour) }
        for part in (latency ?? "").split(separator: ",") {
            let (name, value) = halves(String(part), "=")
            guard let value, let frames = Int(value), (0...100).contains(frames) else {
                throw ValidationError("`\(part)` is no latency; write CONTROL=FRAMES, 0 to 100")
            }
            behaviour.ranges[try setting(name).rawValue].latencyFrames = frames
        }
        behaviour.ignored = try ignore.map(setting)
        behaviour.losses = try lose.map { text in
            let (name, share) = halves(text, ":")
            guard let share = share.flatMap({ Int($0) }), (0...1000).contains(share) else {
                throw ValidationError("`\(text)` has no share; write CONTROL:PER_THOUSAND")
            }
            return (try setting(name), share)
        }
        behaviour.refusals = try stall.map { text in
            let (name, reason) = halves(text, ":")
            let known = ControlRefusal.allCases.first { $0.name == reason ?? "invalid-request" }
            guard let known else {
                throw ValidationError(
                    "`\(text)` has no known reason; choose from "
                        + ControlRefusal.allCases.map(\.name).joined(separator: ", "))
            }
            return (try setting(name), known)
        }
        behaviour.hangs = try hang.map { text in
            let (name, time) = halves(text, ":")
            guard let time else { return (try setting(name), nil) }
            guard let seconds = Double(time), (0...3600).contains(seconds) else {
                throw ValidationError("`\(text)` has no time; write CONTROL:SECONDS, 0 to 3600")
            }
            return (try setting(name), Int64(seconds * 1_000_000_000))
        }
        return behaviour
    }

    private func apply(range text: String, to behaviour: inout ControlBehaviour) throws {
        let (name, rest) = halves(text, "=")
        let (ends, step) = halves(rest ?? "", "/")
        let parts = ends.split(separator: ".", omittingEmptySubsequences: true).map { Int($0) }
        guard
            ends.contains(".."), parts.count == 2, let low = parts[0], let high = parts[1],
            low <= high, (-32768...65535).contains(low), (-32768...65535).contains(high),
            let step = step == nil ? 1 : Int(step ?? ""), step > 0
        else {
            throw ValidationError("`\(text)` is no range; write CONTROL=LOW..HIGH[/STEP]")
        }
        let setting = try setting(name)
        var range = behaviour.range(setting)
        range.minimum = low
        range.maximum = high
        range.step = step
        range.standard = min(max(range.standard, low), high)
        behaviour.ranges[setting.rawValue] = range
    }

    private func setting(_ name: String) throws -> Setting {
        guard let setting = Setting(named: name) else {
            throw ValidationError(
                "`\(name)` is no control; choose from "
                    + Setting.allCases.map(\.name).joined(separator: ", "))
        }
        return setting
    }

    private func halves(_ text: String, _ mark: Character) -> (String, String?) {
        guard let place = text.firstIndex(of: mark) else { return (text, nil) }
        return (String(text[..<place]), String(text[text.index(after: place)...]))
    }
}
