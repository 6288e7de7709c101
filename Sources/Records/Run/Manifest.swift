internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Timebase

/// Makes `run.json`: what a run was, and at its end what came of it.
struct Manifest {
    /// The version of the run folder's format.
    static let format: Int64 = 1

    let description: RunDescription
    let recipeDigest: FileDigest
    let planDigest: FileDigest
    let plannedSlots: Int64?
    let keepsPixels: Bool

    /// How a run ended.
    struct Outcome {
        let ending: RunEnding
        let time: Instant<Monotonic>
        let realtime: ClockRelation<Monotonic, Realtime>
        let clocks: JSONValue
        let tally: RunTally
        let judgement: Judgement
    }

    /// The text of `run.json`; without an outcome the run is still going.
    func bytes(_ outcome: Outcome?) -> [UInt8] {
        JSONValue.object(object(outcome)).utf8(.pretty) + [UInt8(ascii: "\n")]
    }

    private func object(_ outcome: Outcome?) -> JSONObject {
        let plan = description.plan
        var object: JSONObject = [
            "framelock_run": .integer(Self.format),
            "state": outcome == nil ? "running" : "finalised",
            "framelock_version": .string(description.version),
            "recipe": [
                "name": .string(plan.name),
                "sha256": .string(recipeDigest.description),
                "parameters": .array(description.parameters.map(\.json)),
            ],
            "plan": [
                "sha256": .string(planDigest.description),
                "slots": plannedSlots.map { .integer($0) } ?? .null,
            ],
            "camera": description.camera.json,
            "profile": [
                "name": .string(plan.camera.profile.name),
                "provenance": .string(plan.camera.profile.provenance),
            ],
            "skipped": .array(plan.skipped.map(JSONForm<SkippedSetting>.skipped.write)),
            "configuration": description.accepted.json,
            "timestamps": plan.camera.profile.timestamps.json,
            "rows": description.readout.json,
            "container": keepsPixels
                ? ["path": "frames.zarr", "format": .string(plan.output.format.rawValue)]
                : ["path": .null, "format": "none"],
            "session": session(outcome),
            "host": description.host,
        ]
        if let metering = description.metering { object["metering"] = metering }
        object["thermometer"] = description.thermometer.map { .string($0) }
        if let outcome {
            object["clocks"] = outcome.clocks
            object["ending"] = .string(outcome.ending.rawValue)
            for member in outcome.judgement.members + outcome.tally.members {
                object[member.0] = member.1
            }
        }
        return object
    }

    private func session(_ outcome: Outcome?) -> JSONValue {
        [
            "clock": .string("\(Monotonic.clockName)"),
            "resolution_ns": .integer(description.clockResolution.step.nanoseconds),
            "epoch_ns": .integer(description.epoch.nanoseconds),
            "started": Self.time(description.epoch, description.realtime),
            "ended": outcome.map { Self.time($0.time, $0.realtime) } ?? .null,
            "duration_ns": outcome.map { .integer(($0.time - description.epoch).nanoseconds) }
                ?? .null,
        ]
    }

    private static func time(
        _ instant: Instant<Monotonic>, _ relation: ClockRelation<Monotonic, Realtime>
    ) -> JSONValue {
        let realtime = relation.convert(BoundedInstant(instant, halfWidth: .zero))
        return [
            "utc": .string(UTCTime(realtime.instant).text),
            "realtime_ns": .integer(realtime.instant.nanoseconds),
            "half_width_ns": .integer(realtime.halfWidth.nanoseconds),
        ]
    }
}

extension RecipeParameter {
    fileprivate var json: JSONValue {
        ["name": .string(name), "value": .string(value), "overridden": .bool(isOverridden)]
    }
}

extension CameraIdentity {
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "name": .string(name), "driver": .string(driver),
            "bus": .string(bus), "backend": .string(backend), "path": .string(path),
        ]
    }
}

extension AcceptedConfiguration {
    fileprivate var json: JSONValue {
        [
            "pixels": .string(layout.pixelFormat.name),
            "width": .integer(Int64(layout.size.width)),
            "height": .integer(Int64(layout.size.height)),
            "bytes_per_row": .integer(Int64(layout.bytesPerRow)),
            "recorded_frame_bytes": .integer(Int64(layout.recordedByteCount)),
            "rate": rate.map { ["frames": .integer($0.frames), "seconds": .integer($0.seconds)] }
                ?? .null,
            "buffers": .integer(Int64(bufferCount)),
            "camera_ticks_per_second": cameraTicksPerSecond.map { .integer($0) } ?? .null,
        ]
    }
}

extension TimestampModel {
    fileprivate var json: JSONValue {
        [
            "point": .string(point.rawValue), "max_delay_ns": .integer(delay.nanoseconds),
            "readout_ns": readout.map { .integer($0.nanoseconds) } ?? .null,
            "camera_clock": cameraClock.map {
                [
                    "from": .string($0.source.rawValue), "point": .string($0.point.rawValue),
                    "max_age_ns": .integer($0.delay.nanoseconds),
                ]
            } ?? .null,
        ]
    }
}

extension RowReadout {
    fileprivate var json: JSONValue {
        [
            "count": .integer(rows), "embedded_lines": .integer(embeddedLines),
            "order": isBottomUp ? "bottom_up" : "top_down",
            "readout_ns": duration.map { .integer($0.nanoseconds) } ?? .null,
            "longest_readout_ns": longest.map { .integer($0.nanoseconds) } ?? .null,
            "exposure_end_ns": .integer(offset.span.nanoseconds),
            "exposure_end_half_width_ns": .integer(offset.halfWidth.nanoseconds),
            "sensor_clock_ppm": .integer(clockPerMillion),
        ]
    }

    /// Reads what ``json`` writes; nil for anything else, and for what no sensor has.
    init?(json: JSONValue?) {
        let lines: ClosedRange<Int64> = 0...1_000_000
        let longest = Interval.seconds(3_600).nanoseconds
        guard let json, let rows = json["count"]?.integerValue, rows > 0, lines.contains(rows),
            let embedded = json["embedded_lines"]?.integerValue, lines.contains(embedded),
            let order = json["order"]?.stringValue,
            let end = json["exposure_end_ns"]?.integerValue, end.magnitude <= longest,
            let width = json["exposure_end_half_width_ns"]?.integerValue,
            (0...longest).contains(width),
            let clock = json["sensor_clock_ppm"]?.integerValue, (0...1_000_000).contains(clock)
        else { return nil }
        func interval(_ name: String) -> Interval? {
            json[name]?.integerValue.flatMap {
                (0...longest).contains($0) ? Interval(nanoseconds: $0) : nil
            }
        }
        self.init(
            rows: rows, embeddedLines: embedded, isBottomUp: order == "bottom_up",
            duration: interval("readout_ns"), longest: interval("longest_readout_ns"),
            offset: .init(.nanoseconds(end), halfWidth: .nanoseconds(width)))
        clockPerMillion = clock
    }
}

extension RunDescription {
    /// How the rows of this run's frames are read out.
    fileprivate var readout: RowReadout {
        plan.camera.profile.readout(
            rows: accepted.layout.size.height,
            rate: accepted.rate ?? plan.camera.configuration.rate,
            mode: plan.camera.profile.sensorMode(
                plan.camera.configuration.pixelFormat, plan.camera.configuration.size))
    }
}
