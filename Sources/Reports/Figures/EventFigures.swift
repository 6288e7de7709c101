internal import Devices
internal import Notation
internal import Records
internal import Timebase
internal import Tracking

/// What the event log of a run comes to.
///
/// Counts of everything, and a line of text for what a person should look at. Memory is bounded whatever the log holds:
/// a damaged or hostile log may hold any number of events, so lists have limits.
struct EventFigures {
    /// One digital line.
    ///
    /// Counts of events; ``latest`` and ``latestSensed`` are nanoseconds after the planned time, 0 if none was late.
    struct Line: Hashable {
        var edges: Int64 = 0
        /// Edges that the kernel had no room for, by the numbers that it gave to the others.
        var lost: Int64 = 0
        var switched: Int64 = 0
        /// Switches that the kernel refused.
        var failed: Int64 = 0
        /// By the host's clock when the switch had been made.
        var latest: Int64 = 0
        /// Switches of this output that the input saw which senses it.
        var sensed: Int64 = 0
        /// Switches that this input should have seen and did not.
        var unsensed: Int64 = 0
        var latestSensed: Int64 = 0
    }

    /// By index of the plan's lines.
    private(set) var lines: [Line]
    /// Writes of settings, refused ones among them.
    private(set) var writes: Int64 = 0
    private(set) var refusedWrites: Int64 = 0
    /// Writes that the camera's bus refused and that were made once more; each is one of ``writes``.
    private(set) var repeatedWrites: Int64 = 0
    /// Controls that were read after a write, one for each control; a lens beyond its place is among them.
    private(set) var readBacks: Int64 = 0
    /// Read-backs that found another code than was asked for.
    private(set) var differing: Int64 = 0
    private(set) var unread: Int64 = 0
    /// Changes of watched controls that the run did not make.
    private(set) var external: Int64 = 0
    /// Times that a frame showed another value than the device was believed to have.
    private(set) var contradicted: Int64 = 0
    /// Nanoseconds from the planned time of a switch to when the host had made it.
    private(set) var delay = LogHistogram()
    /// Nanoseconds from the planned time of a switch to the input's own edge.
    private(set) var sensedDelay = LogHistogram()
    /// Frames that came and no slot took, by why.
    private(set) var skipped: [SkipReason: Int64] = [:]
    /// Missing frames by reason, those between captures among them: there may be more than holes.
    private(set) var missing: [HoleReason: Int64] = [:]
    private(set) var damaged: Int64 = 0
    /// Times that the driver's sequence went where no gap could.
    private(set) var jumps: Int64 = 0
    private(set) var repeatedGroups: Int64 = 0
    /// Groups that went on record without all of their frames.
    private(set) var partialGroups: Int64 = 0
    /// Rounds that began after their time.
    private(set) var overruns: Int64 = 0
    /// Waits for an edge that ran out.
    private(set) var timeouts: Int64 = 0
    private(set) var storageFailures: Int64 = 0
    /// Error numbers of the kernel's, 0 for a stream that stood still; at most 16.
    private(set) var streamFailures: [Int32] = []
    private(set) var clockSamples: Int64 = 0
    /// Clocks that timestamps were found to be of, as they were found out; nil for an unknown one; at most 16.
    private(set) var timestampClocks: [ClockSource?] = []
    /// Quirks in the order in which they showed, and whether the profile names them.
    private(set) var quirks: [(quirk: CameraQuirk, isKnown: Bool)] = []
    /// The coldest and the hottest reading; nil without any.
    private(set) var temperatures: ClosedRange<Temperature>?
    private(set) var readTemperatures: Int64 = 0
    private(set) var unreadTemperatures: Int64 = 0
    /// What went wrong, in its order; the first ``RunFigures/maximumMarks`` of it.
    private(set) var marks: [RunFigures.Mark] = []
    /// All marks, those that were not kept among them.
    private(set) var markCount: Int64 = 0

    /// - Parameter lines: lines of the plan, which events point at.
    init(lines: Int) {
        self.lines = Array(repeating: Line(), count: lines)
    }

    /// Takes an event.
    ///
    /// In the order of the log. What is ordinary is only counted, what is not also becomes a mark.
    ///
    /// - Parameter time: the session time at which it was handled.
    mutating func add(_ event: RunEvent, at time: Instant<Session>) {
        switch event {
        case .edge(let edge): lines[Int(edge.line)].edges += 1
        case .edgesLost(let line, let count, _):
            lines[Int(line)].lost += Int64(count)
            mark("\(count.of("edge")) lost by the kernel", time)
        case .edgesUncounted: mark("the kernel does not count the edges that it loses", time)
        case .edgeClassified(_, let number, let outcome, _) where outcome != .matched:
            mark("edge \(number): \(outcome.rawValue)", time)
        case .frameClassified(_, let sequence, let outcome):
            mark("frame \(sequence) has no edge: \(outcome.rawValue)", time)
        case .outputSet, .outputSensed, .outputUnsensed, .outputFailed: addOutput(event, time)
        case .triggerTimeout:
            timeouts += 1
            mark("no edge in time", time)
        case .settingsWritten, .writeRepeated, .readBack, .lensApproach, .readBackFailed,
            .controlChanged, .settingContradicted:
            addSettings(event, time)
        case .framesMissing, .sequenceJumped, .frameDamaged, .framesSkipped: addFrames(event, time)
        case .temperature(let temperature): add(temperature)
        case .sequenceTimestampMismatch, .gapUnverifiable, .timestampInvalid, .quirkSeen,
            .timestampClock,
            .cameraClockStepped:
            addDoubt(event, time)
        default: addOther(event, time)
        }
    }

    /// Switches that failed or were not sensed are marks; one that is late is in the histogram alone.
    private mutating func addOutput(_ event: RunEvent, _ time: Instant<Session>) {
        switch event {
        case .outputSet(let line, _, let late):
            lines[Int(line)].switched += 1
            lines[Int(line)].latest = max(lines[Int(line)].latest, late.nanoseconds)
            delay.add(late.nanoseconds)
        case .outputSensed(let line, _, _, let late):
            lines[Int(line)].sensed += 1
            lines[Int(line)].latestSensed = max(
                lines[Int(line)].latestSensed, late.nanoseconds)
            sensedDelay.add(late.nanoseconds)
        case .outputUnsensed(let line, _):
            lines[Int(line)].unsensed += 1
            mark("an output's switching was not sensed", time)
        case .outputFailed(let line):
            lines[Int(line)].failed += 1
            mark("an output could not be switched", time)
        default: break
        }
    }

    /// Whatever makes a locked setting doubtful is a mark: refused, written again, differing, unread, changed,
    /// contradicted.
    private mutating func addSettings(_ event: RunEvent, _ time: Instant<Session>) {
        switch event {
        case .settingsWritten(let settings, _, _, let errno):
            writes += 1
            guard errno != 0 else { return }
            refusedWrites += 1
            mark("settings \(settings) refused (errno \(errno))", time)
        case .writeRepeated(let settings, let errno):
            repeatedWrites += 1
            mark("settings \(settings) written again (errno \(errno))", time)
        case .readBack(_, let control, let asked, let found),
            .lensApproach(_, let control, let asked, let found):
            readBacks += 1
            guard asked != found else { return }
            differing += 1
            mark("\(control.name) is \(found), asked \(asked)", time)
        case .readBackFailed(_, let control):
            unread += 1
            mark("\(control.name) could not be read back", time)
        case .controlChanged(let change, _):
            external += 1
            mark("\(change.control.name) changed to \(change.code) by another", time)
        case .settingContradicted(_, let sequence, let group, _, _, let evidence):
            contradicted += 1
            mark("sequence \(sequence) contradicts its \(group.name) (\(evidence.rawValue))", time)
        default: break
        }
    }

    /// Frames that were skipped are ordinary; missing and damaged ones and jumps are marks.
    private mutating func addFrames(_ event: RunEvent, _ time: Instant<Session>) {
        switch event {
        case .framesMissing(let count, let before, let reason):
            missing[reason, default: 0] += count
            mark("\(count.of("frame")) missing before \(before): \(reason.rawValue)", time)
        case .framesSkipped(let count, _, let why): skipped[why, default: 0] += count
        case .frameDamaged(let sequence):
            damaged += 1
            mark("frame \(sequence) damaged", time)
        case .sequenceJumped(let from, let to):
            jumps += 1
            mark("sequence jumped from \(from) to \(to)", time)
        default: break
        }
    }

    /// What makes sequence and timestamps doubtful.
    private mutating func addDoubt(_ event: RunEvent, _ time: Instant<Session>) {
        switch event {
        case .sequenceTimestampMismatch(let before, _, _, _, _):
            mark("sequence and timestamps do not agree before frame \(before)", time)
        case .gapUnverifiable(let count, let from):
            mark("it is unclear whether frames are missing: \(count) from \(from) on", time)
        case .timestampInvalid(let count, let from, let why):
            mark("\(count) timestamps doubted from \(from) on: \(why.rawValue)", time)
        case .quirkSeen(let quirk, let sequence, let isKnown):
            // The driver has few; a log that has more was not written by a run.
            if quirks.count < CameraQuirk.allCases.count { quirks.append((quirk, isKnown)) }
            if !isKnown { mark("the driver shows `\(quirk.rawValue)` at frame \(sequence)", time) }
        case .timestampClock(let clock):
            if timestampClocks.count < 16 { timestampClocks.append(clock) }
            mark("timestamps are of \(clock?.fixedName ?? "an unknown clock")", time)
        case .cameraClockStepped(let sequence):
            mark("the camera's clock jumped before frame \(sequence)", time)
        default: break
        }
    }

    /// What belongs to no section of its own; events that are not here are ordinary.
    private mutating func addOther(_ event: RunEvent, _ time: Instant<Session>) {
        switch event {
        case .groupRepeated(_, let slot, let attempt):
            repeatedGroups += 1
            mark("frames from slot \(slot) on taken again (attempt \(attempt))", time)
        case .slotRetaken(let slot, _, let reason):
            mark("slot \(slot) taken again: \(reason.rawValue)", time)
        case .groupPartial: partialGroups += 1
        case .roundLate: overruns += 1
        case .streamFailed(let errno):
            if streamFailures.count < 16 { streamFailures.append(errno) }
            mark(errno == 0 ? "the stream stood still" : "the stream broke (errno \(errno))", time)
        case .storageFailed(let slot, let errno):
            storageFailures += 1
            mark("the disk refused slot \(slot) (errno \(errno))", time)
        case .interrupted: mark("asked to stop", time)
        case .stillMissed(let slot, _): mark("the still of slot \(slot) is missing", time)
        case .bufferRefused(let errno):
            mark("the driver did not take a buffer back (errno \(errno))", time)
        case .periodMismatch(let sequence, let expected, let found):
            mark(
                "from frame \(sequence) on frames come every \(Measure.time(found.nanoseconds)); the"
                    + " registers give \(Measure.time(expected.nanoseconds))", time)
        case .earlierTimestampsLate(let sequence, let least):
            mark(
                "timestamps before frame \(sequence) were late by"
                    + " \(Measure.time(least.nanoseconds)) or more", time)
        case .metadataMismatch(let count, let from):
            mark("\(count) frames from \(from) on came with another frame's metadata", time)
        case .rateDiffers(let found):
            mark("frames come every \(Measure.time(found.nanoseconds))", time)
        case .clockSample: clockSamples += 1
        default: break
        }
    }

    /// - Parameter temperature: nil if the thermometer could not be read.
    private mutating func add(_ temperature: Temperature?) {
        guard let temperature else { return unreadTemperatures += 1 }
        readTemperatures += 1
        let range = temperatures ?? temperature...temperature
        temperatures =
            min(range.lowerBound, temperature)...max(range.upperBound, temperature)
    }

    private mutating func mark(_ text: String, _ time: Instant<Session>) {
        markCount += 1
        guard marks.count < RunFigures.maximumMarks else { return }
        marks.append(RunFigures.Mark(time: time, text: text))
    }
}
