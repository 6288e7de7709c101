import Notation
import Timebase

/// `clocks` of a recipe and of a rig: PTP hardware clocks by name.
///
/// The host's own clocks are read in every run and need no key.
enum ClockKeys {
    /// How many a recipe may have: each is read every second while the run lasts.
    private static let maximumCount = 8

    /// A number that the kernel gave out; `interface` names the same clock whatever it is.
    private static let device = Key(
        "ptp", deviceForm, "The clock's device file, for example `/dev/ptp0`.")
    private static let interface = Key(
        "interface", interfaceForm,
        "The network interface that the clock belongs to, for example `eth0`: its number may change."
    )

    /// Exactly one of both ways to find a clock.
    private static let shape = MappingShape(
        "a clock", "A PTP hardware clock, by its device file or its network interface.",
        keys: [device.shape, interface.shape], rules: [.exactlyOne([["ptp"], ["interface"]])])

    /// A clock in a rig: always a whole definition.
    static let definition = NamedForm<ClockNeed>(.mapping(shape)) { name, node, context in
        guard let read = MappingReader(node, as: shape, context: context) else { return nil }
        let (path, interface) = (read(device), read(Self.interface))
        if let path { return ClockNeed(name: name, place: .device(path)) }
        return interface.map { ClockNeed(name: name, place: .interface($0)) }
    }

    private static let table = Form<[ClockNeed]>.table(of: definition)
    /// Clocks that the rig must define, by name alone.
    private static let names = Form<String>.name.located.list(count: 1...maximumCount)

    /// Clocks of a recipe: definitions by name, or a list of names that the rig defines.
    ///
    /// - Returns: in the order of the file, which is the order of their numbers in records.
    static let needs = Form<[ClockNeed]>(.either([table.shape, names.shape])) { node, context in
        let needs =
            node.entries == nil
            ? names.read(node, context)?.map { ClockNeed(name: $0) } : table.read(node, context)
        guard let needs else { return nil }
        guard needs.count <= maximumCount else {
            context.report(
                "list-length", at: SourceRange(at: node.range.start, columns: 1),
                "a run can read \(maximumCount) clocks, not \(needs.count)")
            return nil
        }
        for (index, need) in needs.enumerated() {
            let first = needs[..<index].first { $0.name.value == need.name.value }
            guard let first else { continue }
            context.report(
                "duplicate-name", at: need.name.range, "clock `\(need.name.value)` comes twice",
                notes: [context.note("first here", at: first.name.range)])
        }
        return needs
    }

    /// The path of a PTP clock's device file; whether it is there is seen when the run is prepared.
    private static let deviceForm = Form<String>.scalar(
        ScalarShape(
            "ptp_device", "a PTP hardware clock", .text(pattern: "^/dev/ptp[0-9]+$"),
            "The device file of a PTP hardware clock, for example `/dev/ptp0`.")
    ) { text throws(QuantityProblem) in
        let number = text.hasPrefix("/dev/ptp") ? text.dropFirst(8) : ""
        guard !number.isEmpty, number.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw QuantityProblem(
                "bad-device", "\(Diagnostic.quote(text)) is not the device file of a PTP clock",
                hint: "`ls /sys/class/ptp` lists them; write `/dev/ptp0`",
                part: 0..<text.unicodeScalars.count)
        }
        return text
    }

    /// A network interface by the kernel's rules: 1 to 15 bytes, no slash, no space, neither `.` nor `..`.
    private static let interfaceForm = Form<String>.scalar(
        ScalarShape(
            "network_interface", "a network interface", .text(pattern: "^[^/ ]{1,15}$"),
            "The name of a network interface, for example `eth0`; at most 15 characters.")
    ) { text throws(QuantityProblem) in
        let count = text.unicodeScalars.count
        let isName =
            (1...15).contains(text.utf8.count) && !text.utf8.contains { $0 == 0x2F || $0 <= 0x20 }
        guard isName, text != ".", text != ".." else {
            throw QuantityProblem(
                "bad-name", "\(Diagnostic.quote(text)) is not the name of a network interface",
                hint: "`ip link` lists them", part: 0..<count)
        }
        return text
    }
}
