internal import Devices

// Limits of the verdict that no frame of the plan can meet.
extension PlanCompiler {
    /// Refuses evidence that the camera can't give for what the plan sets: such a run would end over its limit, however
    /// well it goes.
    mutating func checkProof(of plan: Plan) {
        let profile = plan.camera.profile
        guard let range = recipe.require.proof, profile.embeddedData == nil else { return }
        for group in ControlGroup.all {
            guard let least = plan.require.proof[group], profile.has(group) else { continue }
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

extension CameraProfile {
    fileprivate func has(_ group: ControlGroup) -> Bool {
        group == .exposure ? exposure != nil : gain != nil
    }
}

extension Plan {
    /// Whether exposure or gain differ between its settings.
    fileprivate func changes(_ group: ControlGroup) -> Bool {
        let asked = settings.map(\.quantised)
        return group == .exposure
            ? Set(asked.map(\.exposure.asked)).count > 1 : Set(asked.map(\.gain.asked)).count > 1
    }
}
