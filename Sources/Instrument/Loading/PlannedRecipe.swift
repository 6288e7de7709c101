internal import Devices
internal import Imaging
internal import Logging
package import Notation
package import Recipes

/// A recipe with its compiled plan and what is known of it before a run.
package struct PlannedRecipe {
    package let plan: Plan
    /// What may be wrong with the recipe.
    package let warnings: DiagnosticList
    /// The same as text with places; empty for none.
    package let warningText: String
    package let estimate: PlanEstimate
    /// What a run takes where runs are recorded as a rule.
    package let disk: DiskNeed

    /// Reads and compiles a recipe, for the profile alone or for the attached camera.
    ///
    /// A camera that is asked is put in the mode that the recipe means, and afterwards back as it was found.
    ///
    /// - Parameter asksCamera: whether the device's own formats, ranges and timing count; the simulated camera is never
    ///   asked.
    /// - Throws: ``Failure`` for recipe, rig or profile, `DeviceError` for the camera.
    package init(_ request: RecipeRequest, asksCamera: Bool) throws {
        let loaded = try LoadedRecipe(request)
        let backend = CameraBackend(id: loaded.choice.id)
        if asksCamera, !backend.isBuiltIn {
            let camera = try backend.open(loaded.choice.id, WorldOptions()).camera
            let found = try CameraState(of: camera)
            defer { found.putBack() }
            (_, plan, warnings) = try loaded.plan(with: camera)
        } else {
            let profile = try loaded.offlineProfile()
            (plan, warnings) = try loaded.plan(profile)
            if !backend.isBuiltIn {
                let source = "`\(profile.name)` (\(profile.file ?? "built in"))"
                Log.framelock.notice(
                    "planned without the camera, by profile \(source) alone; --camera asks the camera itself"
                )
            }
        }
        warningText = loaded.text(of: warnings)
        estimate = PlanEstimate(plan, bytesPerFrame: Self.bytesPerFrame(plan))
        disk = DiskNeed(plan)
    }

    /// Bytes of a frame in the record, unpacked and without padding; 0 for a format that has no layout.
    static func bytesPerFrame(_ plan: Plan) -> Int {
        let configuration = plan.camera.configuration
        return FrameLayout(pixelFormat: configuration.pixelFormat, size: configuration.size)?
            .recordedByteCount ?? 0
    }
}
