internal import Devices
internal import Notation
internal import Timebase
internal import Tracking

extension RunTally {
    /// The counts as members of `run.json` and of `framelock show --json`.
    var members: [(String, JSONValue)] {
        let holes = HoleReason.allCases.compactMap { reason in
            self.holes[reason].map { (reason.rawValue, JSONValue.integer($0)) }
        }
        let counts: [(String, JSONValue)] = [
            ("slots", .integer(slots)), ("frames", .integer(frames)),
            ("not_reached", notReached.map(Self.range) ?? .null),
            ("holes", .integer(slots - frames)), ("holes_by_reason", .object(JSONObject(holes))),
            (
                "triggers",
                [
                    "edges": .integer(edges), "matched": .integer(matchedEdges),
                    "missing_edges": .integer(missingEdges),
                    "unused_edges": .integer(unusedEdges), "lost_edges": .integer(lostEdges),
                    "edges_without_frame": .integer(edgesWithoutFrame),
                    "unanswered_edges": .integer(unansweredEdges),
                    "spurious_frames": .integer(spuriousFrames),
                    "unmatched": .integer(unmatchedTriggers),
                ]
            ),
            ("lock_violations", .integer(lockViolations)),
            ("unread_settings", .integer(unreadSettings)),
            ("contradicted_settings", .integer(contradictedSettings)),
            ("frames_without_metadata", .integer(framesWithoutMetadata)),
            ("disputed_gaps", .integer(disputedGaps)),
            ("period_found_ns", periodMismatch.map { .integer($0.found.nanoseconds) } ?? .null),
            ("edges_by_class", Self.byClass(edgesByClass)),
            ("frames_by_class", Self.byClass(framesByClass)),
            ("uncounted_lines", .integer(uncountedLines)),
            ("failed_outputs", .integer(failedOutputs)),
            ("unsensed_outputs", .integer(unsensedOutputs)),
            ("latest_output_ns", .integer(latestOutput.nanoseconds)),
            ("period_overruns", .integer(periodOverruns)),
            ("latest_round_ns", .integer(latestRound.nanoseconds)),
            ("widest_half_width_ns", .integer(widestHalfWidth.nanoseconds)),
            ("untimed_frames", .integer(untimedFrames)),
            ("unexpected_timestamp_clocks", .integer(unexpectedTimestampClocks)),
            ("camera_clock_steps", .integer(cameraClockSteps)),
            ("late_pulses", .integer(latePulses)),
            (
                "temperature",
                [
                    "hottest_millidegrees_c": hottest.map { .integer($0.millidegrees) } ?? .null,
                    "unread": .integer(unreadTemperatures),
                ]
            ),
        ]
        return counts + stillMembers
    }

    private static func range(_ slots: ClosedRange<Int64>) -> JSONValue {
        ["first_slot": .integer(slots.lowerBound), "last_slot": .integer(slots.upperBound)]
    }

    private static func byClass(_ counts: [TriggerClass: Int64]) -> JSONValue {
        .object(
            JSONObject(
                TriggerClass.allCases.compactMap { outcome in
                    counts[outcome].map { (outcome.rawValue, .integer($0)) }
                }))
    }

    private var stillMembers: [(String, JSONValue)] {
        guard let stills else { return [] }
        return [("stills", .integer(stills)), ("missed_stills", .integer(missedStills))]
    }
}
