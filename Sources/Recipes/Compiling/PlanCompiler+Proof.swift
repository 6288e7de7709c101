package import Devices

// Limits of the verdict that no frame of the plan can meet.
extension PlanCompiler {
    /// Refuses evidence that the camera can't give for what the plan sets: such a run would end over its limit, however
    /// well it goes.
    mutating func checkProof(of plan: Plan) {
        let profile = plan.camera.profile
        guard let range = recipe.require.proof, profile.embeddedData == nil else { return }
        for group in [ControlGroup.exposure, .gain] {
            guard let least = plan.require.proof[group], profile.models(group) else { continue }
            let other: ControlGroup = group == .exposure ? .gain : .exposure
            if least == .metadata {
                report(
                    "proof-out-of-reach", at: range,
                    "the \(group.words) can't be known by metadata: frames of this camera (profile"
                        + " `\(profile.name)`) come without them",
                    hint: "ask for `pixels`, or leave `proof` out")
            } else if !plan.changes(group) {
                report(
                    "proof-out-of-reach", at: range,
                    "the \(group.words) can't be known by pixels: it is the same in all frames, and pixels show"
                        + " changes alone",
                    hint: plan.changes(other)
                        ? "ask it of what changes: `proof: {\(other.name): pixels}`"
                        : "leave `proof` out")
            } else if profile.models(other), plan.leavesAlone(other) {
                report(
                    "proof-out-of-reach", at: range,
                    "the \(group.words) can't be known by pixels: brightness is exposure times gain, and the recipe"
                        + " leaves the \(other.words) alone",
                    hint: "lock both: `lock: {exposure: {duration: 2 ms, gain: 1.0x}}`")
            }
        }
    }
}

extension Plan {
    /// Whether some settings have no value of exposure or gain, so that the camera keeps what it happens to have.
    fileprivate func leavesAlone(_ group: ControlGroup) -> Bool {
        settings.contains {
            group == .exposure
                ? $0.quantised.exposure.asked == nil : $0.quantised.gain.asked == nil
        }
    }

    /// Whether exposure or gain, which change brightness by a known factor, differ between its settings.
    package func changes(_ group: ControlGroup) -> Bool {
        guard let first = settings.first?.quantised else { return false }
        return settings.contains {
            group == .exposure
                ? $0.quantised.exposure != first.exposure : $0.quantised.gain != first.gain
        }
    }
}
