public import Devices

/// Finds the GPIO chips that the kernel knows, and lines on them by label and name.
///
/// A chip is described when it is searched; a line that is claimed afterwards still counts as free in the findings.
public struct LineDiscovery: Sendable {
    /// What a search found.
    public struct Findings: Sendable {
        /// The chips that could be asked, by the number of their device file.
        public var chips: [LineChip]
        /// Chips that are there but could not be asked, in words.
        public var problems: [DeviceError]

        /// Creates findings, for example saved ones.
        public init(chips: [LineChip], problems: [DeviceError]) {
            self.chips = chips
            self.problems = problems
        }
    }

    private let tree: SystemTree

    /// Creates a search.
    ///
    /// - Parameter root: where /dev is looked for; another root than `/` serves tests.
    public init(root: String = "/") {
        tree = SystemTree(root: root)
    }

    /// The chips that can be used, with their lines.
    public func chips() -> [LineChip] { search().chips }

    /// The chips that can be used, and why others can't.
    public func search() -> Findings {
        var findings = Findings(chips: [], problems: [])
        for path in paths() {
            do throws(DeviceError) {
                let chip = try GPIOChip(path: path)
                findings.chips.append(
                    LineChip(label: chip.label, path: path, lines: chip.lines()))
            } catch {
                findings.problems.append(error)
            }
        }
        return findings
    }

    /// Device files of chips; links such as Raspberry Pi OS's `gpiochip4` are left out, their target is listed.
    private func paths() -> [String] {
        tree.names(in: "/dev").filter { $0.hasPrefix("gpiochip") }
            .filter { tree.resolved("/dev/\($0)") == "/dev/\($0)" }
            .map { tree.path("/dev/\($0)") }
    }
}

extension LineDiscovery.Findings {
    /// Where a requested line is: the chip's device file and the line's offset.
    ///
    /// A name must be unique on its chip: the kernel lets several lines have one.
    ///
    /// - Throws: ``DeviceError`` that lists the chips, or the names of the lines.
    public func locate(_ request: LineRequest) throws(DeviceError) -> (path: String, offset: Int) {
        let chip = try chip(for: request)
        switch request.position {
        case .offset(let offset):
            guard chip.lines.indices.contains(offset) else {
                throw DeviceError(
                    .notFound,
                    "line `\(request.name)`: chip \(chip.label) has the lines 0 to "
                        + "\(chip.lines.count - 1), no \(offset)")
            }
            return (chip.path, offset)
        case .name(let name):
            let matches = chip.lines.filter { $0.name == name }
            guard let line = matches.first else {
                let names = chip.lines.map(\.name).filter { !$0.isEmpty }
                let list =
                    names.isEmpty
                    ? "its lines have no names, so give the number"
                    : "it has \(shortened(names))"
                throw DeviceError(
                    .notFound,
                    "line `\(request.name)`: chip \(chip.label) has no line named \(name); \(list)")
            }
            guard matches.count == 1 else {
                throw DeviceError(
                    .unsupported,
                    "line `\(request.name)`: chip \(chip.label) has \(matches.count) lines named "
                        + "\(name); give the number")
            }
            return (chip.path, line.offset)
        }
    }

    /// The one chip with the label of a request.
    ///
    /// - Throws: ``DeviceError``: why the first chip that could not be asked could not, since it may be the one;
    ///   `notFound` with the labels there are; `unsupported` where several chips have the label.
    private func chip(for request: LineRequest) throws(DeviceError) -> LineChip {
        let matches = chips.filter { $0.label == request.chip }
        guard let chip = matches.first else {
            if let problem = problems.first { throw problem }
            let labels = chips.map(\.label)
            let list =
                labels.isEmpty ? "there is no GPIO chip" : "there are \(shortened(labels))"
            throw DeviceError(
                .notFound,
                "line `\(request.name)`: there is no chip with the label \(request.chip); \(list)")
        }
        guard matches.count == 1 else {
            throw DeviceError(
                .unsupported,
                "line `\(request.name)`: \(matches.count) chips have the label \(request.chip) "
                    + "(\(shortened(matches.map(\.path)))); it must be unique")
        }
        return chip
    }

    /// A list for a message, cut off after 40 names.
    private func shortened(_ names: [String]) -> String {
        let shown = names.prefix(40).joined(separator: ", ")
        return names.count > 40 ? "\(shown) and \(names.count - 40) more" : shown
    }
}
