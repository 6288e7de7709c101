import Devices
import Notation
import Timebase

/// The keys of one line, in recipes and rigs alike.
///
/// One set of keys and two shapes: a rig defines lines, a recipe defines them or states what the rig's have to be.
enum LineKeys {
    static let chip = Key(
        "chip", chipLabel, "Label of the chip, as `framelock devices` prints it, never its number.")
    static let line = Key(
        "line", position.located, "The line by its name (`GPIO17`) or its number on the chip.")
    static let direction = Key(
        "direction", Form<LineRequest.Direction>.word.located,
        "`in` or `out`, seen from the host; required where the line is defined.")
    /// Inputs only; rising edges if left out.
    static let edge = Key(
        "edge", Form<LineRequest.Edge>.word.located,
        "Which edges of an input count; `rising` if left out, `both` for one of the rig that the recipe does not list."
    )
    static let bias = Key(
        "bias", Form<LineRequest.Bias>.word.located,
        "Pull resistor of an input; `as_is` if left out.")
    static let activeLow = Key(
        "active_low", Form<Bool>.boolean.located,
        "Whether a low level means active; `false` if left out.")
    /// Inputs only.
    ///
    /// The kernel timestamps a debounced edge when its time has passed, so it is of no use for triggers.
    static let debounce = Key(
        "debounce", Form<Interval>.durationOrZero.located,
        "How long an input must be stable, 0 if left out; debounced edges are timestamped late, by milliseconds."
    )
    /// Inputs only; goes into the bounds of every time that follows from an edge.
    static let delay = Key(
        "max_delay", Form<Interval>.durationOrZero.located,
        "An edge's timestamp lies at most this much after it; 300 us if left out, with `debounce` 10.3 ms more than it."
    )
    /// Outputs only.
    static let sensedBy = Key(
        "sensed_by", Form<String>.name.located,
        "The input line that an output is looped back to: its edges are the record of what it did.")

    private static let keys = [
        chip.shape, line.shape, direction.shape, edge.shape, bias.shape, activeLow.shape,
        debounce.shape, delay.shape, sensedBy.shape,
    ]

    /// A line in a recipe: with chip and line a definition, without them a need for the rig.
    static let need = MappingShape(
        "a line", name: "line",
        "A line: with `chip` and `line` it is defined here, without them the rig must have it.",
        keys: keys, rules: [.together(["chip", "line"])])

    /// A line in a rig, always a whole definition.
    static let definition = MappingShape(
        "a line", name: "line", "A line of the machine.",
        keys: keys.map { key in
            let isRequired = ["chip", "line", "direction"].contains(key.name)
            return KeyShape(
                name: key.name, summary: key.summary, value: key.value, isRequired: isRequired)
        })

    /// Reads a line's mapping; nil only if it is no mapping.
    ///
    /// - Parameters:
    ///   - node: the mapping.
    ///   - name: the line's name, at its key.
    ///   - shape: ``need`` or ``definition``, which decides what must be there.
    ///   - context: gets what is wrong; keys that can't be read are as if left out.
    static func read(
        _ node: YAMLNode, name: Located<String>, as shape: MappingShape, context: DecodingContext
    ) -> LineNeed? {
        guard let read = MappingReader(node, as: shape, context: context) else { return nil }
        var need = LineNeed(name: name)
        let (chip, position) = (read(chip), read(line))
        if let chip, let position { need.place = .init(chip: chip, position: position) }
        need.direction = read(direction)
        need.edge = read(edge)
        need.bias = read(bias)
        need.isActiveLow = read(activeLow)
        need.debounce = read(debounce)
        need.delay = read(delay)
        need.sensedBy = read(sensedBy)
        if read.has(Self.chip), !read.has(direction), !isRequired(direction.name, in: shape) {
            context.report(
                "missing-key", at: name.range,
                "line `\(name.value)` is defined here and needs a `direction`",
                hint: "write `direction: in` or `direction: out`")
        }
        refuseInputKeys(read, direction: need.direction)
        refuseShortDelay(need, context)
        return need
    }

    /// Reports a time of debouncing that the kernel can't take, and timestamps that would come before it is over.
    private static func refuseShortDelay(_ need: LineNeed, _ context: DecodingContext) {
        guard let debounce = need.debounce else { return }
        let microsecond = Interval.microseconds(1).nanoseconds
        if debounce.value.nanoseconds % microsecond != 0
            || debounce.value.nanoseconds / microsecond > Int64(UInt32.max)
        {
            context.report(
                "out-of-range", at: debounce.range,
                "`debounce` is \(debounce.value); the kernel takes whole microseconds, 4294967295 at most",
                hint: "write for example `5 ms`")
        }
        guard let delay = need.delay, delay.value < debounce.value else { return }
        context.report(
            "out-of-range", at: delay.range,
            "`max_delay` is \(delay.value), and a debounced edge is timestamped when `debounce`"
                + " (\(debounce.value)) is over",
            hint: "leave `max_delay` out: it is 10.3 ms more than `debounce` then")
    }

    private static func isRequired(_ key: String, in shape: MappingShape) -> Bool {
        shape.keys.contains { $0.name == key && $0.isRequired }
    }

    /// Reports keys that mean nothing for the line's direction; without a direction nothing is reported.
    private static func refuseInputKeys(
        _ read: MappingReader, direction: Located<LineRequest.Direction>?
    ) {
        guard direction?.value == .output else {
            guard direction?.value == .input, read.has(sensedBy) else { return }
            return read.context.report(
                "output-only", at: read.keyRange(sensedBy),
                "`sensed_by` is for outputs; this line is an input",
                hint: "write it at the output that is looped back to this line")
        }
        let ranges = [
            (edge.name, read.has(edge), read.keyRange(edge)),
            (bias.name, read.has(bias), read.keyRange(bias)),
            (debounce.name, read.has(debounce), read.keyRange(debounce)),
            (delay.name, read.has(delay), read.keyRange(delay)),
        ]
        for (name, isThere, range) in ranges where isThere {
            read.context.report(
                "input-only", at: range, "`\(name)` is for inputs; this line is an output",
                hint: "remove it, or write `direction: in`")
        }
    }

    /// A chip by its label; a number such as `gpiochip0` is refused, and so is a device file.
    private static let chipLabel = Form<Located<String>>(Form<String>.text().shape) {
        node, context in
        guard let label = Form<String>.text().read(node, context) else { return nil }
        let file = label.hasPrefix("/dev/") ? String(label.dropFirst(5)) : label
        let isNumber =
            file.hasPrefix("gpiochip") && !file.dropFirst(8).isEmpty
            && file.dropFirst(8).allSatisfy(\.isNumber)
        guard !isNumber, file == label else {
            context.report(
                "device-file", at: node.range,
                "\(Diagnostic.quote(label)) is a device file, whose number changes between boots",
                hint: "name the chip by its label, as `framelock devices` prints it")
            return nil
        }
        return Located(label, at: node.range)
    }

    /// Digits are a number on the chip, anything else is a name; whether the chip has it is seen when the line is
    /// opened.
    private static let position = Form<LineRequest.Position>.scalar(
        ScalarShape(
            "line_position", "a line",
            .integerOrText(0...65_535, pattern: "^.{1,64}$"),
            "The line's name, for example `GPIO17`, or its number on the chip, from 0.")
    ) { text throws(QuantityProblem) in
        let count = text.unicodeScalars.count
        guard text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            guard (1...64).contains(count), Int64(text) == nil,
                !text.unicodeScalars.contains(where: { $0.value < 0x20 })
            else {
                throw QuantityProblem(
                    "bad-name", "\(Diagnostic.quote(text)) is not the name of a line",
                    hint: "write a name of 1 to 64 characters, or the number on the chip, from 0",
                    part: 0..<count)
            }
            return .name(text)
        }
        let offset = try Quantity.integer(text)
        guard offset <= 65_535 else {
            throw QuantityProblem(
                "out-of-range", "no chip has a line \(Diagnostic.quote(text))",
                hint: "count the chip's lines from 0", part: 0..<count)
        }
        return .offset(Int(offset))
    }
}
