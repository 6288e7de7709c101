import Devices
import Testing

/// A recipe that is well formed and can't run here, and what a person is told about it.
struct PlanComplaint: Sendable, CustomTestStringConvertible {
    let name: String
    let recipe: String
    let profile: CameraProfile
    let rig: String?
    let says: String
    var testDescription: String { name }

    init(
        _ name: String, _ recipe: String, profile: CameraProfile = PlanFixtures.camera,
        rig: String? = nil, says: String
    ) {
        self.name = name
        self.recipe = recipe
        self.profile = profile
        self.rig = rig
        self.says = says
    }

    var found: String { PlanFixtures.complaint(recipe, profile: profile, rig: rig) }
}
