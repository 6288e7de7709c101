package import Devices
internal import Imaging
package import Notation
package import Recipes
package import Timebase

/// The contents of `run.json`: what a run was, and at its end what came of it.
///
/// Written twice: in the state `running` when the record begins, and with its ``Outcome`` when it ends. The file is
/// replaced in one step, so that a reader sees the one or the other.
package struct Manifest: Sendable {
    /// The version of the run folder's format.
    ///
    /// A reader refuses any other.
    static let format: Int64 = 1

    /// Whether a run came to its end.
    package enum State: String, Sendable {
        /// It still goes on, or was cut.
        case running
        /// It has ended, and its record is complete.
        case finalised
    }

    /// Whether its outcome is there.
    package var state: State
    /// The version of framelock that recorded it.
    package var version: String
    package var recipeName: String
    /// SHA-256 of `recipe.yaml`, byte by byte.
    package var recipeDigest: FileDigest
    /// The recipe's parameters with the values of this run, defaults among them.
    package var parameters: [RecipeParameter]
    /// SHA-256 of `plan.json`.
    package var planDigest: FileDigest
    /// Slots of a plan that ends; nil for an endless one.
    package var plannedSlots: Int64?
    /// The camera; where it is for people, and what a sensor is attached to, is not in it.
    package var camera: CameraIdentity
    package var profileName: String
    /// Where the profile's figures come from, in its own words.
    package var profileProvenance: String
    /// Settings that were wanted only if the camera has them, and that it has not.
    package var skipped: [SkippedSetting]
    /// What the camera agreed to.
    package var configuration: AcceptedConfiguration
    /// What the driver's timestamps mean; the end of exposures is in ``rows``.
    package var timestamps: TimestampModel
    /// When rows are read out, and how exposures end by that.
    package var rows: RowReadout
    /// Where frames are kept; nil for a run that was recorded without their pixels.
    package var container: OutputOptions.Format?
    /// How far the host's clocks advance at a time at most.
    package var clockResolution: ClockResolution
    /// The zero of session time, on the host's `CLOCK_MONOTONIC`.
    package var epoch: Instant<Monotonic>
    /// Realtime at the start and at the end, for people: nothing is computed from it.
    package var started: BoundedInstant<Realtime>
    package var ended: BoundedInstant<Realtime>?
    /// From the epoch to the end of the run; nil while it goes on.
    package var duration: Interval?
    /// The host's state at the start, for people.
    package var host: JSONValue
    /// What of that may have changed when the run ended; nil before, and of a simulation.
    package var hostAtEnd: JSONValue?
    /// What the recipe says of sample, people and optics.
    package var metadata: RunMetadata?
    /// How the metering before the run ended; nil where nothing was metered.
    package var metering: JSONValue?
    /// Which thermometer was read; nil where there was none.
    package var thermometer: String?

    /// What came of a run.
    ///
    /// It follows from ledger and log alone: `verify` counts it again.
    package struct Outcome: Sendable {
        /// The clocks' relations at the end of the run.
        package var clocks: [RelatedClock]
        package var ending: RunEnding
        package var judgement: Judgement
        /// As far as `run.json` has its counts; what it does not have is zero here.
        package var tally: RunTally

        /// - Parameters:
        ///   - ending: why the run ended.
        ///   - judgement: the verdict, its exit code and the findings.
        ///   - tally: the counts.
        ///   - clocks: the relations; empty for a recount that is not about them.
        init(
            _ ending: RunEnding, _ judgement: Judgement, _ tally: RunTally,
            clocks: [RelatedClock] = []
        ) {
            self.ending = ending
            self.judgement = judgement
            self.tally = tally
            self.clocks = clocks
        }
    }
}

extension Manifest {
    /// What a simulation was told, in its order: `seed`, `faults`, `scene`; empty for a run in real time.
    package var simulationFacts: [(name: String, text: String)] {
        ["seed", "faults", "scene"].compactMap { name in
            host[name]?.stringValue.map { (name, $0.isEmpty ? "none" : $0) }
        }
    }

    /// What is known of a run when it starts.
    init(_ run: RunDescription, recipeDigest: FileDigest, plannedSlots: Int64?, keepsPixels: Bool) {
        let (plan, configuration) = (run.plan, run.plan.camera.configuration)
        let profile = plan.camera.profile
        state = .running
        version = run.version
        recipeName = plan.name
        self.recipeDigest = recipeDigest
        parameters = run.parameters
        planDigest = plan.digest
        self.plannedSlots = plannedSlots
        camera = run.camera
        profileName = profile.name
        profileProvenance = profile.provenance
        skipped = plan.skipped
        self.configuration = run.accepted
        timestamps = profile.timestamps
        rows = profile.readout(
            rows: run.accepted.layout.size.height, rate: run.accepted.rate ?? configuration.rate,
            mode: profile.sensorMode(configuration.pixelFormat, configuration.size))
        container = keepsPixels ? plan.output.format : nil
        clockResolution = run.clockResolution
        epoch = run.epoch
        started = Self.realtime(run.epoch, run.realtime)
        host = run.host
        metadata = plan.metadata
        metering = run.metering
        thermometer = run.thermometer
    }

    /// The same at the end of the run: the only members that change are state, end, duration and the host's state then.
    func ended(
        at time: Instant<Monotonic>, _ realtime: ClockRelation<Monotonic, Realtime>,
        host: JSONValue?
    ) -> Manifest {
        var manifest = self
        manifest.hostAtEnd = host
        manifest.state = .finalised
        manifest.ended = Self.realtime(time, realtime)
        manifest.duration = time - epoch
        return manifest
    }

    /// The same of a run that was cut: when that was nobody knows, and the last that is known of is its end.
    func recovered(_ duration: Interval) -> Manifest {
        var manifest = self
        manifest.state = .finalised
        manifest.duration = duration
        return manifest
    }

    /// For people, with the bound of the relation that was read at the time.
    private static func realtime(
        _ instant: Instant<Monotonic>, _ relation: ClockRelation<Monotonic, Realtime>
    ) -> BoundedInstant<Realtime> {
        relation.convert(BoundedInstant(instant, halfWidth: .zero))
    }

    /// The text of `run.json`; without an outcome the run is still going.
    ///
    /// With a line end. The same run has the same bytes: members keep their order.
    func bytes(_ outcome: Outcome? = nil) -> [UInt8] {
        var object = Self.start.object(self)
        if let outcome { Outcome.all.write(outcome, into: &object) }
        return JSONValue.object(object).utf8(.pretty) + [UInt8(ascii: "\n")]
    }

    /// Whether frames were recorded with their pixels; a simulation may do without.
    package var keepsPixels: Bool { container != nil }
    /// What the frames are, for people: `SRGGB12 1456x1088`.
    package var frames: String {
        "\(configuration.layout.pixelFormat.name) \(configuration.layout.size)"
    }
    /// Bytes of a frame in the record.
    package var frameByteCount: Int { configuration.layout.recordedByteCount }
}

// What their members are read into.
extension Manifest {
    /// Stands in until every member was read; no run has it.
    static let blank = Manifest()

    private init() {
        state = .running
        (version, recipeName, profileName, profileProvenance) = ("", "", "", "")
        (recipeDigest, planDigest) = (FileDigest(of: []), FileDigest(of: []))
        (parameters, skipped) = ([], [])
        camera = CameraIdentity(id: "", name: "", driver: "", bus: "", backend: "", path: "")
        configuration = AcceptedConfiguration(layout: .pixel, rate: nil, bufferCount: 0)
        timestamps = TimestampModel(point: .startOfReadout, delay: .zero, readout: nil)
        rows = RowReadout(rows: 1, duration: nil)
        clockResolution = .nanosecond
        epoch = Instant(nanoseconds: 0)
        started = BoundedInstant(Instant(nanoseconds: 0), halfWidth: .zero)
        host = .null
    }
}

extension Manifest.Outcome {
    static let blank = Manifest.Outcome(.completed, .notFinalised, RunTally())
}
