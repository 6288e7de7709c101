/// Which recipe is meant, for which rig and camera.
public struct RecipeRequest: Hashable, Sendable {
    /// Path of the recipe (YAML).
    public var recipe: String
    /// Values of the recipe's parameters, each `NAME=VALUE`.
    public var overrides: [String] = []
    /// Path of the rig, which names this machine's cameras and lines; nil for `/etc/framelock/rig.yaml`.
    public var rig: String?
    /// The camera profile, by name or file, instead of the recipe's or the rig's.
    public var profile: String?
    /// A folder with camera profiles, searched first.
    public var profiles: String?

    /// Means a recipe with the machine's own rig and profiles.
    public init(_ recipe: String) { self.recipe = recipe }
}
