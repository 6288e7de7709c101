internal import Devices
internal import Imaging
internal import Notation
internal import Timebase

extension PlannedCamera {
    /// The camera as JSON, with every fact of its profile that the plan rests on.
    var json: JSONValue {
        var object: JSONObject = [
            "id": .string(id), "profile": profile.json, "configuration": configuration.json,
            "timing": profile.timing?.json ?? .null,
        ]
        // Left out of free-running plans, so that they keep the hash that they always had.
        if let trigger { object["trigger"] = trigger.json }
        return .object(object)
    }
}

extension CaptureConfiguration {
    var json: JSONValue {
        [
            "pixels": .string(pixelFormat.name),
            "width": .integer(Int64(size.width)),
            "height": .integer(Int64(size.height)),
            "rate": rate.map { ["frames": .integer($0.frames), "seconds": .integer($0.seconds)] }
                ?? .null,
            "region": region.map { .string($0.description) } ?? .null,
            "input": input.map { .string($0) } ?? .null,
        ]
    }
}

extension CameraProfile {
    var json: JSONValue {
        var object: JSONObject = [
            "name": .string(name),
            "shutter": .string(shutter.rawValue),
            "timestamps": timestamps.json,
            "startup_frames": .integer(Int64(startupFrames)),
            "aperture_thousandths": aperture.map { .integer($0.thousandths) } ?? .null,
            "quirks": .array(quirks.map { .string($0.rawValue) }),
            "exposure": exposure?.json ?? .null,
            "gain": gain?.json ?? .null,
            "focus": focus?.json ?? .null,
            "white_balance": whiteBalance?.json ?? .null,
            "automatics_off": .array(automaticsOff.map(\.json)),
            "pinned": .array(pinned.map(\.json)),
        ]
        // Left out where there is none, so that such plans keep the hash that they always had.
        if let embeddedData { object["embedded_data"] = embeddedData.json }
        return .object(object)
    }
}

extension EmbeddedDataFormat {
    fileprivate var json: JSONValue {
        if self == .smia { return "smia" }
        let registers: [(String, Register?)] = [
            ("exposure", exposure), ("gain", gain), ("frame_lines", frameLines),
            ("line_pixels", linePixels), ("temperature", temperature),
            ("frame_count", frameCount),
        ]
        return .object(
            JSONObject(
                registers.compactMap { name, register in
                    register.map { ($0.byteCount, $0.address) }.map { count, address in
                        (name, .array((0..<count).map { .integer(Int64(address) + Int64($0)) }))
                    }
                }))
    }
}

extension TimestampModel {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "point": .string(point.rawValue), "max_delay_ns": .integer(delay.nanoseconds),
            "readout_ns": readout.map { .integer($0.nanoseconds) } ?? .null,
        ]
        // Left out where there is none, so that such plans keep the hash that they always had.
        if let cameraClock {
            object["camera_clock"] = [
                "from": .string(cameraClock.source.rawValue),
                "point": .string(cameraClock.point.rawValue),
                "max_age_ns": .integer(cameraClock.delay.nanoseconds),
            ]
        }
        if exposureEnd != .init() {
            object["exposure_end"] = [
                "offset_ns": .integer(exposureEnd.span.nanoseconds),
                "half_width_ns": .integer(exposureEnd.halfWidth.nanoseconds),
            ]
        }
        return .object(object)
    }
}

extension CodeRange {
    fileprivate var json: JSONValue {
        ["minimum": .integer(minimum), "maximum": .integer(maximum), "step": .integer(step)]
    }
}

extension ExposureModel {
    fileprivate var json: JSONValue {
        [
            "control": .string(control.name), "unit_ps": .integer(unit.picoseconds),
            "unit_divisor": .integer(unit.divisor),
            "offset_ns": .integer(offset.nanoseconds), "codes": codes.json,
            "table": .array(
                table.map {
                    ["code": .integer($0.code), "duration_ns": .integer($0.duration.nanoseconds)]
                }),
            "latency_frames": .integer(Int64(latencyFrames)),
            "latency_from": .string(latencyOrigin.description),
        ]
    }
}

extension GainModel {
    fileprivate var json: JSONValue {
        let law: JSONValue =
            switch self.law {
            case .linear(let unity): ["linear_unity": .integer(unity)]
            case .reciprocal(let base): ["reciprocal_base": .integer(base)]
            case .exponential(let step): ["step_millidecibels": .integer(step)]
            case .rational(let constants):
                [
                    "m0": .integer(constants.m0), "c0": .integer(constants.c0),
                    "m1": .integer(constants.m1), "c1": .integer(constants.c1),
                ]
            case .table(let rows):
                .array(
                    rows.map {
                        [
                            "code": .integer($0.code),
                            "gain_millionths": .integer($0.gain.millionths),
                        ]
                    })
            }
        return [
            "control": .string(control.name), "law": law, "codes": codes.json,
            "iso_at_unity": .integer(isoAtUnity),
            "latency_frames": .integer(Int64(latencyFrames)),
            "latency_from": .string(latencyOrigin.description),
        ]
    }
}

extension FocusModel {
    fileprivate var json: JSONValue {
        [
            "control": .string(control.name), "near_code": .integer(nearCode),
            "far_code": .integer(farCode), "settle_ns": .integer(settle.nanoseconds),
            "approach": approach.map {
                [
                    "from": .string($0.side.rawValue),
                    "over_travel_codes": .integer($0.overTravelCodes),
                ]
            } ?? .null,
            "latency_frames": .integer(Int64(latencyFrames)),
            "latency_from": .string(latencyOrigin.description),
        ]
    }
}

extension WhiteBalanceModel {
    fileprivate var json: JSONValue {
        [
            "components": components.map {
                [
                    "red": .string($0.red.name), "blue": .string($0.blue.name),
                    "unity": .integer($0.unity), "codes": $0.codes.json,
                ]
            } ?? .null,
            "temperature": temperature.map {
                ["control": .string($0.control.name), "codes": $0.codes.json]
            } ?? .null,
            "metadata": .bool(isMetadata),
            "latency_frames": .integer(Int64(latencyFrames)),
            "latency_from": .string(latencyOrigin.description),
        ]
    }
}

extension SensorTiming {
    var json: JSONValue {
        var object: JSONObject = [
            "pixel_rate_hz": .integer(mode.pixelRateHertz),
            "line_pixels": .integer(mode.linePixels),
            "line_ps": .integer(line.picoseconds), "line_divisor": .integer(line.divisor),
            "frame_lines": .integer(frameLines), "blanking": blanking.json,
            "period_ns": .integer(period.nanoseconds),
            "rate": rate.map { ["frames": .integer($0.frames), "seconds": .integer($0.seconds)] }
                ?? .null,
        ]
        // Left out where a count is a line, so that such plans keep the hash that they always had.
        if linesPerCount > 1 { object["lines_per_count"] = .integer(linesPerCount) }
        return .object(object)
    }
}
