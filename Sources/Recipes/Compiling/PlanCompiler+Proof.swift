package import Devices

// Limits of the verdict that no frame of the plan can meet.
extension PlanCompiler {
    /// Refuses evidence that the camera can't give for what the plan sets: such a run would end over its limit, however
    /// well it goes.
    mutating func checkProof(of plan: Plan) {
        let profile = plan.camera.profile
        guard let range = recipe.require.proof, profile.embeddedData == nil else { return }
        for group in ControlGroup.all {
            guard let least = plan.require.proof[group], profile.models(group) else { continue }
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
                    hint: plan.changes(group == .exposure ? .gain : .exposure)
                        ? "ask it of what changes: `proof: {\(group == .exposure ? "gain" : "exposure"): pixels}`"
                        : "leave `proof` out")
            }
        }
    }
}

extension Plan {
    /// Whether exposure or gain, which change brightness by a known factor, differ between its settings.
    package func changes(_ group: ControlGroup) -> Bool {
        guard let first = settings.first?.quantised else { return false }
        return settings.contains {
            group == .exposure
                ? $0.quantised.exposure != first.exposure : $0.quantised.gain != first.gain
        }
    }
}
