internal import Devices
internal import Notation
internal import Recipes
internal import Timebase

extension Judgement {
    /// What the evidence of missing frames leaves open.
    ///
    /// A gap that they dispute, or that nobody saw, is as good as a missing frame: that none is missing is not shown.
    ///
    /// The limit is that of missing frames, `require: dropped`, and counts both together.
    static func evidence(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        let open = tally.disputedGaps + tally.unverifiableGaps
        let isOver = limits.dropped.map { tally.dropped + open > $0 } ?? false
        var findings: [Finding] = []
        if tally.disputedGaps > 0 {
            findings.add(
                .sequenceTimestampMismatch,
                "\(tally.disputedGaps.of("time")) sequence and timestamps do not agree on whether frames are"
                    + " missing", isOver: isOver)
        }
        if tally.unverifiableGaps > 0 {
            findings.add(
                .gapUnverifiable,
                "before \(tally.unverifiableGaps.of("frame")) it is unclear whether others are"
                    + " missing", isOver: isOver)
        }
        // A profile that knows of it has the quirk; the half-widths of times show the rest.
        let isNews = !tally.unknownQuirks.isDisjoint(with: [
            .timestampsAreZero, .timestampsAreStuck, .timestampsGoBack, .timestampsAreAhead,
        ])
        if tally.invalidTimestamps > 0, isNews {
            findings.add(
                .timestampInvalid,
                "the timestamps of \(tally.invalidTimestamps.of("frame")) can't be believed; their times are"
                    + " those at which the host took them from the driver")
        }
        if tally.refusedBuffers > 0 {
            findings.add(
                .refusedBuffers,
                "the driver did not take \(tally.refusedBuffers.of("frame buffer")) back and went on"
                    + " with fewer")
        }
        for quirk in CameraQuirk.allCases where tally.unknownQuirks.contains(quirk) {
            findings.add(
                .quirkSeen,
                "the driver shows `\(quirk.rawValue)`: add it to `quirks` of the camera's profile"
                    + " if it always does")
        }
        return findings
    }

    /// Exposures of a raw sensor are counted in lines: where its frames do not take as long as its registers state,
    /// either lines or blanking are not what they are believed to be, and no exposure is shown to be what was locked.
    static func periodMismatch(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        guard let found = tally.periodFound, let expected = tally.periodExpected else { return [] }
        var findings: [Finding] = []
        findings.add(
            .periodMismatch,
            "frames come every \(found), but the sensor's registers (frame length, line length, pixel rate)"
                + " give \(expected): the driver misstates its pixel rate or did not set the"
                + " blanking, so exposures are not known; run `framelock calibrate timing`, or use"
                + " another format of this sensor", isOver: limits.lockViolations != nil)
        return findings
    }

    /// Frames that lack what a sensor reports of the others: what was read back does not show writes that were lost on
    /// their way to the sensor.
    static func metadata(_ tally: RunTally) -> [Finding] {
        guard tally.framesWithoutMetadata > 0 else { return [] }
        var findings: [Finding] = []
        let which =
            tally.framesWithoutMetadata == tally.frames
            ? "no frame has metadata of its own"
            : "\(tally.framesWithoutMetadata) of \(tally.frames.of("frame")) came without metadata of their own (up to"
                + " \(tally.longestWithoutMetadata) in a row)"
        findings.add(
            .metadataMissing,
            which + ", though the sensor sends them: what they were exposed with is known by weaker"
                + " evidence, which does not show every write that is lost")
        return findings
    }

    /// Late interrupts whose frames have their times from the sensor's period.
    ///
    /// A few of them are no reason to fail a run: the half-widths of its times have them. Where half of them are late,
    /// the profile is wrong in what it states of the others as well, which nothing showed to be late.
    static func lateTimestamps(_ tally: RunTally) -> [Finding] {
        guard tally.lateTimestamps > 0 else { return [] }
        var findings: [Finding] = []
        let meaning =
            tally.isMostlyLate
            ? ", which is half of all or more: the profile's max_delay does not hold for this camera on this"
                + " host, and times of other frames may be off by more than their half-widths"
                + " (`framelock calibrate timing` measures max_delay)"
            : "; their times are taken from the sensor's frame period"
        findings.add(
            .lateTimestamps,
            "the timestamps of \(tally.lateTimestamps.of("frame")) came late" + meaning,
            isOver: tally.isMostlyLate)
        return findings
    }

    /// Rows that were written before their timestamps turned out to be wrong.
    ///
    /// Always over the limit, since rows in the ledger are wrong and not marked.
    static func unseenDelay(_ tally: RunTally) -> [Finding] {
        guard tally.unseenDelay > .zero else { return [] }
        var findings: [Finding] = []
        findings.add(
            .earlierTimestampsLate,
            "timestamps were late by \(tally.unseenDelay) or more, which the profile's max_delay does"
                + " not allow, and nothing showed it in time: session times may be off by as much or"
                + " more, whatever their half width says (`framelock calibrate timing` measures max_delay)",
            isOver: true)
        return findings
    }
}
