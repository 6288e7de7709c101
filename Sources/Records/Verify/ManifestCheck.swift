internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Timebase

/// Holds what the manifest has from the start of the run against the plan.
///
/// Camera, host, profile's provenance and realtime are the run's own: nothing in the folder says them once more.
enum ManifestCheck {
    /// Adds what is wrong, member by member.
    static func check(_ run: RecordedRun, _ report: inout VerificationReport) {
        let expected = Manifest.start.object(expected(run))
        for member in expected.members where run.json[member.name] != member.value {
            let found = run.json[member.name]?.text() ?? "missing"
            report.add(
                "run.json",
                "`\(member.name)` is \(found), the plan gives \(member.value.text())")
        }
        for name in run.json.objectValue?.names ?? [] where !isKnown(name, run, expected) {
            report.add("run.json", "there is no member `\(name)`")
        }
    }

    /// Whether a member belongs into the manifest of such a run.
    private static func isKnown(
        _ name: String, _ run: RecordedRun, _ start: JSONObject
    ) -> Bool {
        guard start[name] == nil else { return true }
        return run.manifest.state == .finalised
            && Manifest.Outcome.all.contains { member in
                member.names.contains { $0 == name || $0.hasPrefix(name + ".") }
            }
    }

    /// The manifest with everything that follows from the plan put in its place.
    private static func expected(_ run: RecordedRun) -> Manifest {
        var manifest = run.manifest
        let plan = run.plan
        let (profile, asked) = (plan.camera.profile, plan.camera.configuration)
        manifest.recipeName = plan.name
        manifest.metadata = plan.metadata
        manifest.planDigest = plan.digest
        manifest.plannedSlots = PlanEstimate(plan, bytesPerFrame: 0).slots
        manifest.profileName = profile.name
        manifest.skipped = plan.skipped
        manifest.timestamps = profile.timestamps
        let layout = manifest.configuration.layout
        if let fitting = FrameLayout(
            pixelFormat: asked.pixelFormat, size: asked.size, bytesPerRow: layout.bytesPerRow)
        {
            manifest.configuration.layout = fitting
        }
        if profile.timestamps.cameraClock == nil {
            manifest.configuration.cameraTicksPerSecond = nil
        }
        manifest.rows = rows(manifest, profile, asked.rate)
        if manifest.container != nil { manifest.container = plan.output.format }
        return manifest
    }

    /// When rows are read out; what a raw sensor sends before them is its profile's, and no plan has it.
    private static func rows(
        _ manifest: Manifest, _ profile: CameraProfile, _ rate: FrameRate?
    ) -> RowReadout {
        var rows = profile.readout(
            rows: manifest.configuration.layout.size.height,
            rate: manifest.configuration.rate ?? rate)
        // A raw sensor that a line exposes has no timing of its own.
        if profile.timing != nil || profile.embeddedData != nil
            || profile.exposure?.control == .exposureLines
        {
            rows.embeddedLines = manifest.rows.embeddedLines
            let isCounted = manifest.rows.clockPerMillion != 0
            rows.clockPerMillion = isCounted ? SensorClock.tolerancePerMillion : 0
        }
        return rows
    }
}
