internal import Devices
internal import Imaging
public import Notation
internal import Recipes
internal import Timebase

/// What `framelock show` prints of a run.
///
/// Prints what the manifest has; it is not verified here.
public struct RunSummary: Hashable, Sendable {
    /// Everything, as the object that `--json` prints.
    ///
    /// Members that others script against: `verdict`, `exit_code`, `recipe_sha256`, `plan_sha256`, `slots`, `frames`,
    /// `holes`, `holes_by_reason`, `triggers`, `camera`, `findings`.
    public let json: JSONValue
    /// The summary for people, several lines.
    public let text: String

    /// Reads the summary of a run; one that still goes on, or was cut, is counted as far as it is there, and its
    /// verdict is `partial`.
    ///
    /// - Parameter path: the run's folder.
    /// - Throws: ``UnreadableRun``.
    public static func read(_ path: String) throws(UnreadableRun) -> RunSummary {
        let run = try RecordedRun(path: path)
        let outcome: Manifest.Outcome
        switch run.outcome {
        case .success(let found): outcome = found
        case .failure(let fault):
            throw UnreadableRun(
                "\(run.folder.manifest) does not state what came of the run: \(fault)")
        case nil: outcome = Manifest.Outcome(.completed, .notFinalised, try run.read().tally)
        }
        return RunSummary(json: json(run, outcome), text: text(run, outcome))
    }

    /// The object of `show --json`: members of the manifest, and what is made of them for who scripts against it.
    private static func json(_ run: RecordedRun, _ outcome: Manifest.Outcome) -> JSONValue {
        typealias Outcome = Manifest.Outcome
        let manifest = run.manifest
        var object: JSONObject = [
            "path": .string(run.folder.path), "state": .string(manifest.state.rawValue),
        ]
        (Outcome.judged + Outcome.counts + [Outcome.findings] + Outcome.stills)
            .write(outcome, into: &object)
        object["name"] = .string(manifest.recipeName)
        object["recipe_sha256"] = .string(manifest.recipeDigest.description)
        object["plan_sha256"] = .string(manifest.planDigest.description)
        object["planned_slots"] = manifest.plannedSlots.map { .integer($0) } ?? .null
        if let metadata = manifest.metadata {
            object["metadata"] = JSONForm<RunMetadata>.metadata.write(metadata)
        }
        object["parameters"] = JSONForm<[RecipeParameter]>.list(.parameter)
            .write(manifest.parameters)
        Manifest.subject.write(manifest, into: &object)
        object["started"] = .string(UTCTime(manifest.started.instant).text)
        object["duration_ns"] = manifest.duration.map { .integer($0.nanoseconds) } ?? .null
        object["ending"] = run.outcome == nil ? .null : .string(outcome.ending.rawValue)
        object["format"] = .string(manifest.container?.rawValue ?? "none")
        object["frames_path"] = run.framesPath.map { .string($0) } ?? .null
        object["framelock_version"] = .string(manifest.version)
        return .object(object)
    }

    /// One line a fact; findings over their limit begin with `!`.
    private static func text(_ run: RecordedRun, _ outcome: Manifest.Outcome) -> String {
        let (manifest, tally, judgement) = (run.manifest, outcome.tally, outcome.judgement)
        let camera = manifest.camera
        var lines = [
            judgement.line(tally),
            "recipe    \(manifest.recipeName)  \(manifest.recipeDigest.description.prefix(12))",
            "camera    \(camera.name) (\(camera.id), \(camera.driver))",
        ]
        lines += manifest.metadata?.lines ?? []
        let simulated = manifest.simulationFacts.map { "\($0.name) \($0.text)" }
        if !simulated.isEmpty { lines.append("simulated \(simulated.joined(separator: ", "))") }
        lines += [
            "format    \(manifest.frames)",
            "started   \(UTCTime(manifest.started.instant).text)",
            manifest.duration.map { "duration  \($0)" }
                ?? "state     not finalised: the run still goes on, or was cut",
            "slots     \(tally.slots): \(tally.frames.of("frame")), \((tally.slots &- tally.frames).of("hole"))",
        ]
        if let slots = tally.notReached {
            lines.append("          \(slots.lowerBound) to \(slots.upperBound) not reached")
        }
        for reason in HoleReason.allCases {
            if let count = tally.holes[reason] { lines.append("  \(reason.rawValue): \(count)") }
        }
        if tally.edges + tally.unmatchedTriggers > 0 {
            lines.append(
                "triggers  \(tally.edges.of("edge")), \(tally.matchedEdges) matched,"
                    + " \(tally.unmatchedTriggers) unmatched"
            )
            for (name, count) in RunTally.unmatchedCounts(tally) where count > 0 {
                lines.append("  \(name): \(count)")
            }
        }
        for skipped in manifest.skipped {
            lines.append(
                "skipped   \(skipped.group.words) \(skipped.asked): not supported by the camera"
            )
        }
        for finding in judgement.findings {
            lines.append(
                "\(finding.isOverLimit ? "!" : "-") \(finding.message) [\(finding.id)]")
        }
        lines.append(
            "frames    \(run.framesPath ?? "without pixels, as the simulation was asked to")")
        if let stills = tally.stills { lines.append("stills    \(stills)") }
        return lines.joined(separator: "\n")
    }
}

extension RunMetadata {
    /// A line each, as the other facts of a run.
    fileprivate var lines: [String] {
        entries.map { name, text in
            name + String(repeating: " ", count: max(1, 10 - name.count)) + text
        }
    }
}
