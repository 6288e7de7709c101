internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Timebase
internal import Tracking

extension JSONForm where Value == Manifest {
    /// Every member of `run.json` that is there from the start.
    ///
    /// Whatever else is in the object is not looked at: the outcome is read by its own form.
    static let manifest = object(.blank, Manifest.start)
}

extension JSONForm where Value == Manifest.Outcome {
    /// Every member of `run.json` that its end adds.
    ///
    /// Read only where the state is `finalised`.
    static let outcome = object(.blank, Manifest.Outcome.all)
}

// The members by what they hold, for who has some of them.
extension Manifest {
    /// In the order of the file.
    static let start: [JSONMember<Manifest>] = identity + subject + recording

    /// The format's version first: a reader that does not know it looks no further.
    private static let identity: [JSONMember<Manifest>] = [
        .constant("framelock_run", .integer(Manifest.format)), .member("state", \.state, .word),
        .member("framelock_version", \.version, .text),
        .group(
            "recipe",
            [
                .member("name", \.recipeName, .text),
                .member("sha256", \.recipeDigest, .digest),
                .member("parameters", \.parameters, .list(.parameter)),
            ]),
        .group(
            "plan",
            [
                .member("sha256", \.planDigest, .digest),
                .nullable("slots", \.plannedSlots, .number),
            ]),
    ]
    /// What was recorded; ``RunSummary`` has the same members.
    static let subject: [JSONMember<Manifest>] = [
        .member("camera", \.camera, .identity),
        .group(
            "profile",
            [
                .member("name", \.profileName, .text),
                .member("provenance", \.profileProvenance, .text),
            ]),
        .member("skipped", \.skipped, .list(.skipped)),
        .member("configuration", \.configuration, .accepted),
    ]
    /// How times are to be read, where frames are, and under which circumstances they were taken.
    ///
    /// A format that this version does not know is refused; `none` stands for a run without pixels.
    private static let recording: [JSONMember<Manifest>] = [
        .member("timestamps", \.timestamps, .timestamps), .member("rows", \.rows, .rows),
        .group(
            "container",
            [
                .derived("path") { manifest in
                    manifest.container.map { .string(FrameContainer.of($0).path) } ?? .null
                },
                .part("format", .text, { $0.container?.rawValue ?? "none" }) { manifest, name in
                    manifest.container = OutputOptions.Format(rawValue: name)
                    return manifest.container != nil || name == "none"
                },
            ]),
        .group("session", session), .member("host", \.host, .any),
        .optional("host_at_end", \.hostAtEnd, .any),
        .optional("metadata", \.metadata, .metadata),
        .optional("metering", \.metering, .any), .optional("thermometer", \.thermometer, .text),
    ]

    /// The clock of session time, and when the run began and ended on it.
    private static let session: [JSONMember<Manifest>] = [
        .constant("clock", .string("\(Monotonic.clockName)")),
        .member("resolution_ns", \.clockResolution, .resolution),
        .member("epoch_ns", \.epoch, .epoch), .member("started", \.started, .realtime),
        .nullable("ended", \.ended, .realtime),
        .nullable("duration_ns", \.duration, .nanoseconds),
    ]
}

extension Manifest.Outcome {
    /// Members of an outcome, which `run.json` has beside those of the manifest, not inside a member of their own.
    typealias Members = [JSONMember<Manifest.Outcome>]

    /// In the order of the file.
    static let all: Members = [related, end] + judged + [findings] + counts + stills
    /// Alone, since `verify` reports of each clock by itself what differs.
    static let related: JSONMember<Manifest.Outcome> = .member("clocks", \.clocks, .clocks)
    static let end: JSONMember<Manifest.Outcome> = .member("ending", \.ending, .word)
    /// What ``Judgement`` makes of the counts.
    static let judged: Members = [
        .member("verdict", \.judgement.verdict, .word),
        .member("exit_code", \.judgement.exitCode, .number),
    ]
    static let findings: JSONMember<Manifest.Outcome> = .member(
        "findings", \.judgement.findings, .list(.finding))
    static let counts: Members = RunTally.members.of(\.tally)
    static let stills: Members = RunTally.stillMembers.of(\.tally)
}
