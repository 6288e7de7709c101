internal import Devices
internal import Recipes
internal import Simulation

extension FaultList {
    /// A line for each fault of a list that has nothing to act on in a plan: which, and why.
    ///
    /// Such a run is as good as one without the fault, and should not pass for a test of it.
    static func withoutEffect(_ faults: InjectedFaults, on plan: Plan) -> [String] {
        let (lines, profile) = (faults.lines, plan.camera.profile)
        var found: [String] = []
        func note(_ names: [(String, Bool)], _ why: String) {
            found += names.filter(\.1).map { "the fault `\($0.0)` has no effect: \(why)" }
        }
        if !plan.lines.contains(where: { $0.direction == .input }) {
            note(
                [
                    ("bounce", lines.bounces > 0), ("edge-loss", lines.lostEdges > 0),
                    ("edge-merge", lines.service != SimulatedLineFaults().service),
                    (
                        "edge-queue",
                        lines.kernelCapacity != SimulatedLineFaults().kernelCapacity
                    ),
                ], "the recipe has no input line")
        }
        if profile.embeddedData == nil {
            note(
                [
                    ("metadata-loss", faults.lostMetadata > 0),
                    ("metadata-late", faults.lateMetadata > 0),
                    ("metadata-wrong", faults.wrongMetadata > 0),
                ], "the camera `\(profile.name)` sends no metadata")
        }
        if profile.sensor == nil {
            note(
                [
                    ("understated-pixel-rate", faults.understatesPixelRate),
                    ("lost-frame-end", faults.lostFrameEnds > 0),
                ], "the camera `\(profile.name)` is no raw sensor")
        }
        note(
            [("lost-write-run", faults.lostWriteRun > 1 && faults.lostWrites == 0)],
            "no writes are lost without `lost-write`")
        return found
    }
}
