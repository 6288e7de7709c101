import Devices
import Notation
import Timebase

/// `focus` of a camera profile.
///
/// Lens positions are unitless, from the nearest end to the farthest; how they lie on a control's codes is here, and
/// which way the codes run.
enum FocusKeys {
    private static let code = Form<Int64>.integer(ControlForms.codeRange)
    private static let control = Key(
        "control", ControlForms.control, required: true, "The control that sets it.")
    /// May be above ``far``: codes of some drivers grow towards the near end.
    private static let near = Key("near", code, required: true, "Code of lens position 0.")
    private static let far = Key("far", code, required: true, "Code of lens position 1.")
    /// The run waits for so long before it trusts a frame after a move.
    private static let settle = Key(
        "settle", Form<Interval>.durationOrZero,
        "How long the lens moves after a write; 0 if left out."
    )
    /// Nil for positions that are written straight away; a drive with hysteresis then comes to rest elsewhere from
    /// either side.
    private static let approach = Key(
        "approach", approachForm, "How positions are reached, so that each is reached alike.")
    /// In thousandths of a dioptre (1/m), ascending, so from far to near.
    private static let dioptres = Key(
        "dioptres", pointForm.list(count: 2...1_000),
        "Codes and the distances at which they are sharp, from far to near.")

    static let form = Form<FocusModel>.mapping(
        MappingShape(
            "a focus model", "A straight line from the nearest to the farthest code.",
            keys: [
                control.shape, near.shape, far.shape, ControlForms.latency.shape, settle.shape,
                approach.shape, dioptres.shape,
            ])
    ) { read in
        let (control, near, far) = (read(Self.control), read(Self.near), read(Self.far))
        let (latency, settle) = (read(ControlForms.latency), read(Self.settle))
        let (approach, points) = (read(Self.approach), read(Self.dioptres))
        guard let control, let near, let far, let latency else { return nil }
        guard near != far else {
            read.context.report(
                "empty-range", at: read.valueRange(Self.far),
                "`near` and `far` are the same code, so the lens would not move",
                hint: "leave `focus` out for a lens that does not move")
            return nil
        }
        if let points, !isMap(points, nearIsUp: near > far) {
            read.context.report(
                "not-ascending", at: read.keyRange(Self.dioptres),
                "`dioptres` must grow from row to row, and its codes must go from `far` towards `near`"
            )
            return nil
        }
        return FocusModel(
            control: control, nearCode: near, farCode: far, latencyFrames: latency.frames,
            settle: settle ?? .zero, latencyOrigin: latency.origin, approach: approach,
            dioptres: points ?? [])
    }

    /// Whether distances ascend and codes go from `far` towards `near` with them: then a distance has one code.
    private static func isMap(_ points: [FocusModel.Calibrated], nearIsUp: Bool) -> Bool {
        zip(points, points.dropFirst()).allSatisfy {
            $0.millidioptres < $1.millidioptres
                && (nearIsUp ? $0.code < $1.code : $0.code > $1.code)
        }
    }

    // MARK: Approach

    private static let from = Key(
        "from", Form<FocusModel.Side>.word, required: true,
        "The side that the last move comes from.")
    /// Codes beyond the position, on the side that the last move comes from.
    private static let overTravel = Key(
        "over_travel", Form<Int64>.integer(1...65_535), required: true,
        "Codes that the lens goes beyond the position first, to come back from that side.")

    private static let approachForm = Form<FocusModel.Approach>.mapping(
        MappingShape(
            "an approach", "The side that a lens comes from, and how far it goes beyond first.",
            keys: [from.shape, overTravel.shape])
    ) { read in
        let (side, codes) = (read(from), read(overTravel))
        guard let side, let codes else { return nil }
        return .init(side: side, overTravelCodes: codes)
    }

    // MARK: Distances

    private static let pointCode = Key("code", code, required: true, "The code.")
    private static let distance = Key(
        "dioptres", Form<Int64>.dioptres, required: true, "Where it is sharp.")

    private static let pointForm = Form<FocusModel.Calibrated>.mapping(
        MappingShape(
            "a calibrated point", "A code and where it is sharp.",
            keys: [pointCode.shape, distance.shape])
    ) { read in
        let (code, distance) = (read(pointCode), read(distance))
        guard let code, let distance else { return nil }
        return .init(code: code, millidioptres: distance)
    }
}
