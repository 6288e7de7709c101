internal import Notation
internal import Timebase

extension PlanCompiler {
    /// Finds every clock that the recipe needs: its own definition, or the rig's.
    ///
    /// The simulated camera needs no rig: beside it every clock exists. What can't be found is reported and left out.
    ///
    /// - Returns: the clocks in the recipe's order, which is the order of their numbers in records.
    mutating func resolvedClocks(rig: Rig?, isSimulated: Bool) -> [ClockRequest] {
        var clocks: [ClockRequest] = []
        for need in recipe.clocks {
            let name = need.name.value
            if let request = need.request ?? rig?.clocks.first(where: { $0.name == name }) {
                clocks.append(request)
            } else if rig == nil, isSimulated {
                clocks.append(ClockRequest(name: name, place: .device("/dev/ptp0")))
            } else {
                reportMissing(need, rig)
            }
        }
        return clocks
    }

    /// Says that a clock is not there: `clock-without-rig`, or `unknown-clock` with the rig's nearest name.
    private mutating func reportMissing(_ need: ClockNeed, _ rig: Rig?) {
        let name = need.name.value
        guard let rig else {
            return report(
                "clock-without-rig", at: need.name.range,
                "clock `\(name)` names no device, and no rig is given",
                hint: "name a rig with --rig FILE, or write `\(name): {ptp: /dev/ptp0}`")
        }
        let names = rig.clocks.map(\.name)
        report(
            "unknown-clock", at: need.name.range,
            "rig `\(rig.name)` (\(rig.source.name)) has no clock `\(name)`",
            hint: nearestWord(to: name, in: names).map { "did you mean `\($0)`?" }
                ?? (names.isEmpty
                    ? "it has no clocks: add this one under `clocks`"
                    : "its clocks are \(names.joined(separator: ", "))"))
    }
}
