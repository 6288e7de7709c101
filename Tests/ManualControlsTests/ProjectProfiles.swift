import Devices
import Foundation
import Notation
import Recipes
import Simulation
import Testing

/// The project's own camera profiles, and recipes compiled for them without a device.
enum ProjectProfiles {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The profile of `hardware/cameras/NAME.yaml`; the simulated camera's is built in.
    static func named(_ name: String) throws -> CameraProfile {
        if name == "simulated" { return .simulated }
        let path = "hardware/cameras/\(name).yaml"
        let data = try Data(contentsOf: root.appending(path: path))
        return try CameraProfileDecoder.decode(SourceFile(name: path, bytes: Array(data)))
    }

    /// Names of all profiles.
    static func all() throws -> [String] {
        let folder = root.appending(path: "hardware/cameras")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// A recipe around a format and a lock.
    static func recipe(format: String, lock: String, sequence: String = "- capture: 1") -> String {
        """
        framelock: 1
        name: test
        camera:
          use: simulated
          format: {\(format)}
        lock: {\(lock)}
        sequence:
          \(sequence)

        """
    }

    /// Compiles a recipe for a profile, with its warnings.
    static func compile(
        _ text: String, for profile: CameraProfile
    ) throws(DiagnosticList) -> (plan: Plan, warnings: [Diagnostic]) {
        let source = SourceFile(name: "recipe.yaml", text: text)
        let recipe = try RecipeDecoder.decode(source)
        let choice = try CameraChoice(recipe.camera, rig: nil, in: source.name)
        return try PlanCompiler.compile(recipe, camera: choice, profile: profile, rig: nil)
    }

    /// Why a recipe can't run on a profile; empty where it can.
    static func refusals(_ text: String, for profile: CameraProfile) -> [Diagnostic] {
        do throws(DiagnosticList) {
            _ = try compile(text, for: profile)
            return []
        } catch {
            return error.diagnostics
        }
    }
}
