import Devices
public import Notation
import Timebase

/// Reads rigs: which cameras and lines a machine has.
///
/// Whether they are there is not asked: a rig describes wiring, and can be read on another machine. Nothing in it is a
/// parameter.
public enum RigDecoder {
    /// Reads a rig.
    ///
    /// - Throws: all independent errors of the file, sorted by position.
    public static func decode(_ source: SourceFile) throws(DiagnosticList) -> Rig {
        let root = try YAMLReader.read(source)
        let context = DecodingContext(source)
        guard FileHeader.rig.check(root, context: context) else {
            throw DiagnosticList(context.diagnostics)
        }
        let rig = rig(root, context)
        guard let rig, context.diagnostics.isEmpty else {
            precondition(!context.diagnostics.isEmpty, "a rig that can't be read has a reason")
            throw DiagnosticList(context.diagnostics)
        }
        return rig
    }

    /// Reads all keys; nil where the name can't be read.
    ///
    /// Lines that lack a part were reported and are left out.
    private static func rig(_ root: YAMLNode, _ context: DecodingContext) -> Rig? {
        guard let read = MappingReader(root, as: RigKeys.shape, context: context) else {
            return nil
        }
        _ = read(RigKeys.summary)
        let (name, cameras) = (read(RigKeys.name), read(RigKeys.cameras))
        let lines = read(RigKeys.lines)
        let clocks = read(RigKeys.clocks)
        refuseSharedPlaces(lines ?? [], context: context)
        return name.map { name in
            var rig = Rig(
                name: name, source: context.source, cameras: cameras ?? [],
                lines: (lines ?? []).compactMap(request))
            rig.clocks = (clocks ?? []).compactMap(\.request)
            return rig
        }
    }

    /// Two names for one line would make two owners of it.
    ///
    /// Compared as they are written: a line that is named once by its name and once by its number is not found here.
    private static func refuseSharedPlaces(_ lines: [LineNeed], context: DecodingContext) {
        for (index, line) in lines.enumerated() {
            guard let place = line.place else { continue }
            let first = lines[..<index].first {
                $0.place?.chip.value == place.chip.value
                    && $0.place?.position.value == place.position.value
            }
            guard let first else { continue }
            context.report(
                "shared-line", at: place.position.range,
                "`\(line.name.value)` and `\(first.name.value)` are the same line of the same chip",
                notes: [context.note("`\(first.name.value)` is here", at: first.name.range)],
                hint: "check the wiring; a line can have one name")
        }
    }

    /// A line with the defaults of a definition; nil where chip, line or direction could not be read.
    private static func request(_ line: LineNeed) -> LineRequest? {
        guard let place = line.place, let direction = line.direction else { return nil }
        return LineRequest(
            name: line.name.value, chip: place.chip.value, position: place.position.value,
            direction: direction.value, edge: line.edge?.value ?? .rising,
            bias: line.bias?.value ?? .asIs, isActiveLow: line.isActiveLow?.value ?? false,
            debounce: line.debounce?.value ?? .zero, delay: line.delay?.value,
            sensedBy: line.sensedBy?.value)
    }
}
