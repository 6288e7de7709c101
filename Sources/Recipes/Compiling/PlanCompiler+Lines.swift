internal import Devices
internal import Notation
internal import Timebase

/// A line of the plan with the place where the recipe asks for it.
///
/// Its index in the compiler's list is the number that instructions have; nothing is taken out again.
struct LineRequestIndex {
    /// What the kernel is asked for when the run is prepared.
    var request: LineRequest
    /// The name in the recipe; of a sensing input, the name of the output that it senses.
    var range: SourceRange
    /// Whether the line has no direction yet, so that the first step that uses it decides.
    var isOpen = false
}

extension PlanCompiler {
    /// Outputs are a bit mask in instructions, so a recipe may name at most this many lines.
    ///
    /// Inputs that sense outputs are added behind them, and have no bit.
    static let maximumLines = 32

    /// Finds every line that the recipe needs: its own definition, or the rig's if that meets the need.
    ///
    /// The simulated camera needs no rig: beside it every line exists. A line that can't be found is reported and has
    /// no number, so that steps which use it are dropped without another message.
    mutating func resolveLines(rig: Rig?, isSimulated: Bool) {
        if recipe.lines.count > Self.maximumLines, let extra = recipe.lines.last {
            report(
                "too-many-lines", at: extra.name.range,
                "a recipe can use \(Self.maximumLines) lines, this one names \(recipe.lines.count)")
        }
        for need in recipe.lines {
            if rig == nil, need.place == nil, isSimulated {
                lines.append(
                    LineRequestIndex(
                        request: simulated(need), range: need.name.range,
                        isOpen: need.direction == nil))
                continue
            }
            guard let request = own(need) ?? fromRig(need, rig) else { continue }
            lines.append(LineRequestIndex(request: request, range: need.name.range))
        }
        addSensors(rig, isSimulated: isSimulated)
        checkSensors()
        refuseSharedLines()
    }

    /// Two names for one line would be requested twice, which the kernel refuses when the run begins.
    private mutating func refuseSharedLines() {
        for (index, line) in lines.enumerated() {
            let request = line.request
            let first = lines[..<index].first {
                $0.request.chip == request.chip && $0.request.position == request.position
            }
            guard let first else { continue }
            report(
                "line-named-twice", at: line.range,
                "`\(request.name)` and `\(first.request.name)` are the same line of \(request.chip)",
                hint: "use one name for it, or correct the line of the other")
        }
    }

    /// The number of a line in the plan; nil if it could not be resolved (which is reported already).
    ///
    /// A recipe need not state a line's direction; then it is the rig's wiring that a step has to fit. Beside the
    /// simulated camera the first step that uses it decides.
    ///
    /// - Parameters:
    ///   - name: the line, at the place where the step names it.
    ///   - direction: what the step needs; another one is reported.
    ///   - step: the step's word, for the message.
    mutating func lineIndex(
        _ name: Located<String>, as direction: LineRequest.Direction, for step: String
    ) -> Int32? {
        guard let index = lines.firstIndex(where: { $0.request.name == name.value }) else {
            return nil
        }
        if lines[index].isOpen {
            lines[index].isOpen = false
            lines[index].request.direction = direction
        }
        let found = lines[index].request.direction
        if found != direction {
            report(
                "line-direction", at: name.range,
                "`\(step)` needs \(direction == .input ? "an input" : "an output"), and line"
                    + " `\(name.value)` is wired as `\(found.rawValue)`",
                hint: "use another line, or correct the rig if its wiring is different")
        }
        return Int32(index)
    }

    /// Adds the inputs that see what the plan's outputs do, where the recipe does not name them itself.
    ///
    /// They watch both edges: an output is recorded when it goes on and when it goes off.
    private mutating func addSensors(_ rig: Rig?, isSimulated: Bool) {
        for output in lines {
            guard let name = output.request.sensedBy else { continue }
            if let sensor = lines.first(where: { $0.request.name == name })?.request {
                guard sensor.direction == .output else { continue }
                report(
                    "line-direction", at: output.range,
                    "line `\(output.request.name)` is sensed by `\(name)`, which is an output",
                    hint: "name the input that it is looped back to")
            } else if var sensor = rig?.lines.first(where: { $0.name == name }) {
                // Both ends of a pulse are of interest.
                sensor.edge = .both
                lines.append(LineRequestIndex(request: sensor, range: output.range))
            } else if rig == nil, isSimulated {
                var sensor = simulated(LineNeed(name: Located(name, at: output.range)))
                sensor.edge = .both
                lines.append(LineRequestIndex(request: sensor, range: output.range))
            } else {
                report(
                    "unknown-line", at: output.range,
                    "line `\(output.request.name)` is sensed by `\(name)`, which neither the recipe"
                        + " nor the rig has",
                    hint: "declare `\(name)` as an input")
            }
        }
    }

    /// Reports inputs whose edges do not show what one output did, or not as exactly as the recipe judges it.
    private mutating func checkSensors() {
        for (index, output) in lines.enumerated() {
            guard let name = output.request.sensedBy,
                let sensor = lines.first(where: { $0.request.name == name })?.request
            else { continue }
            if let first = lines[..<index].first(where: { $0.request.sensedBy == name }) {
                report(
                    "shared-line", at: output.range,
                    "lines `\(first.request.name)` and `\(output.request.name)` are both sensed by `\(name)`, whose"
                        + " edges do not show which of them was switched",
                    hint: "give each output an input of its own")
            }
            let tolerance = recipe.require.limits.pulseTolerance
            guard sensor.direction == .input, sensor.delay > tolerance else { continue }
            let isJudged = recipe.require.limits.latePulses != nil
            report(
                "inexact-line", at: output.range,
                "line `\(output.request.name)` is sensed by `\(name)`, whose edges are timestamped up to"
                    + " \(sensor.delay) late, more than `pulse_tolerance` (\(tolerance)): switches that are in time"
                    + " count as late",
                hint:
                    "leave `debounce` of `\(name)` out, or allow a `pulse_tolerance` of \(sensor.delay) or more",
                severity: isJudged ? .error : .warning)
        }
    }

    /// The line as the recipe itself defines it; nil where it leaves that to the rig.
    private func own(_ need: LineNeed) -> LineRequest? {
        need.place.map { request(need, chip: $0.chip.value, position: $0.position.value) }
    }

    /// A line of the simulated chip, found by the recipe's own name for it.
    private func simulated(_ need: LineNeed) -> LineRequest {
        request(need, chip: "simulated", position: .name(need.name.value))
    }

    /// A need with the defaults of a recipe: rising edges, pull resistor as it is, no debouncing, timestamps as late as
    /// ``LineRequest/usualDelay(debounce:)``.
    private func request(
        _ need: LineNeed, chip: String, position: LineRequest.Position
    ) -> LineRequest {
        LineRequest(
            name: need.name.value, chip: chip, position: position,
            direction: need.direction?.value ?? .input, edge: need.edge?.value ?? .rising,
            bias: need.bias?.value ?? .asIs, isActiveLow: need.isActiveLow?.value ?? false,
            debounce: need.debounce?.value ?? .zero, delay: need.delay?.value,
            sensedBy: need.sensedBy?.value)
    }

    /// The rig's line, if what the recipe states of it agrees with the wiring.
    ///
    /// Direction, bias, polarity and debouncing are wiring, and have to be the same; which edges count, their delay and
    /// the sensing input are the recipe's to choose.
    ///
    /// - Returns: nil, and reports why, where there is no such line.
    private mutating func fromRig(_ need: LineNeed, _ rig: Rig?) -> LineRequest? {
        let name = need.name.value
        guard let rig else {
            report(
                "line-without-rig", at: need.name.range,
                "line `\(name)` names no chip and line, and no rig is given",
                hint: "name a rig with --rig FILE, or give the line's `chip` and `line`")
            return nil
        }
        guard var found = rig.lines.first(where: { $0.name == name }) else {
            let names = rig.lines.map(\.name)
            report(
                "unknown-line", at: need.name.range,
                "rig `\(rig.name)` (\(rig.source.name)) has no line `\(name)`",
                hint: nearestWord(to: name, in: names).map { "did you mean `\($0)`?" }
                    ?? (names.isEmpty
                        ? "it has no lines: add this one under `lines`"
                        : "its lines are \(names.joined(separator: ", "))"))
            return nil
        }
        expect(need.direction, found.direction, "direction", of: need, rig) { $0.rawValue }
        expect(need.bias, found.bias, "bias", of: need, rig) { $0.rawValue }
        expect(need.isActiveLow, found.isActiveLow, "active_low", of: need, rig) { "\($0)" }
        expect(need.debounce, found.debounce, "debounce", of: need, rig) { "\($0)" }
        if let edge = need.edge {
            // A rig's input can watch either edge; which one counts is the recipe's business.
            found.edge = edge.value
        }
        if let delay = need.delay {
            if delay.value < found.debounce {
                report(
                    "out-of-range", at: delay.range,
                    "`max_delay` is \(delay.value), and rig `\(rig.name)` (\(rig.source.name)) debounces line"
                        + " `\(name)` for \(found.debounce)",
                    hint: "leave `max_delay` to the rig")
            }
            found.delay = delay.value
        }
        if let sensor = need.sensedBy { found.sensedBy = sensor.value }
        return found
    }

    /// Reports `line-differs-from-rig` where the recipe wants something and the rig has it otherwise; what it does not
    /// state is not compared.
    private mutating func expect<Value: Equatable>(
        _ wanted: Located<Value>?, _ found: Value, _ key: String, of need: LineNeed, _ rig: Rig,
        _ text: (Value) -> String
    ) {
        guard let wanted, wanted.value != found else { return }
        report(
            "line-differs-from-rig", at: wanted.range,
            "line `\(need.name.value)` needs `\(key): \(text(wanted.value))`, but rig `\(rig.name)`"
                + " (\(rig.source.name)) wires it as `\(text(found))`",
            hint: "change the recipe, or the rig if its wiring is different")
    }
}
