package import Devices
package import Notation
internal import Timebase

extension JSONForm where Value == CameraProfile {
    /// Every fact of a profile that a plan rests on; a plan's file has none of the others.
    ///
    /// What is left out (the sensors and drivers it is for, its formats and colours, its provenance) makes no
    /// plan another one.
    static let planned = object(
        CameraProfile(
            name: "",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: nil)),
        [
            .member("name", \.name, .text), .member("shutter", \.shutter, .word),
            .member("timestamps", \.timestamps, .timestamps),
            .member("startup_frames", \.startupFrames, .number),
            .nullable("aperture_thousandths", \.aperture, .thousandths),
            .member("quirks", \.quirks, .list(.word)),
            .nullable("exposure", \.exposure, .exposure), .nullable("gain", \.gain, .gain),
            .nullable("focus", \.focus, .focus),
            .nullable("white_balance", \.whiteBalance, .balance),
            .member("automatics_off", \.automaticsOff, .list(.code)),
            .member("pinned", \.pinned, .list(.code)),
            // Left out where there is none, so that such plans keep the hash that they always had.
            .optional("embedded_data", \.embeddedData, .embeddedData),
            .member("levels", \.levels, .list(.levels), usually: []),
        ])
}

extension JSONForm where Value == PixelLevels {
    /// The samples of no light and of full light, which figures of brightness are compared with.
    fileprivate static let levels = object(
        PixelLevels(bits: 0, black: 0),
        [
            .member("bits", \.bits, .number), .member("black", \.black, .number),
            .member("white", \.white, .number),
        ])
}

extension JSONForm where Value == TimestampModel {
    /// What the driver's timestamps mean; `readout_ns` is null where it is unknown how long a frame is read out.
    fileprivate static let timestamps = object(
        TimestampModel(point: .startOfReadout, delay: .zero, readout: nil),
        [
            .member("point", \.point, .word), .member("max_delay_ns", \.delay, .nanoseconds),
            .nullable("readout_ns", \.readout, .nanoseconds),
            // Left out where there is none, so that such plans keep the hash that they always had.
            .optional("camera_clock", \.cameraClock, .cameraClock),
            .member("exposure_end", \.exposureEnd, .offset, usually: .init()),
        ])
}

extension JSONForm where Value == CameraClockModel {
    /// The camera's own clock; `max_age_ns` is how old its freshest reading may be when it reaches the host.
    package static let cameraClock = object(
        CameraClockModel(source: .packetHeaders, point: .startOfReadout, delay: .zero),
        [
            .member("from", \.source, .word), .member("point", \.point, .word),
            .member("max_age_ns", \.delay, .nanoseconds),
        ])
}

extension JSONForm where Value == RowReadout.BoundedOffset {
    /// From the moment that a row is read to the end of its exposure, with a bound; negative where exposures end
    /// before.
    fileprivate static let offset = object(
        RowReadout.BoundedOffset(),
        [
            .member("offset_ns", \.span, .nanoseconds),
            .member("half_width_ns", \.halfWidth, .nanoseconds),
        ],
        check: { offset throws(JSONFault) in
            guard offset.halfWidth >= .zero else { throw JSONFault("has a negative half-width") }
        })
}

extension JSONForm where Value == EmbeddedDataFormat {
    /// The registers of embedded lines by their addresses, for sensors that do not keep to SMIA's.
    private static let registers = object(
        EmbeddedDataFormat(),
        [
            .optional("exposure", \.exposure, .register), .optional("gain", \.gain, .register),
            .optional("frame_lines", \.frameLines, .register),
            .optional("line_pixels", \.linePixels, .register),
            .optional("temperature", \.temperature, .register),
            .optional("frame_count", \.frameCount, .register),
        ])
    /// `"smia"` for the standard's registers, else an object of addresses.
    fileprivate static let embeddedData = JSONForm(
        write: { $0 == .smia ? "smia" : registers.write($0) },
        read: { json throws(JSONFault) in json == "smia" ? .smia : try registers.read(json) })
}

extension JSONForm where Value == EmbeddedDataFormat.Register {
    /// The addresses of a register's bytes.
    fileprivate static let register: JSONForm = JSONForm<[UInt16]>.list(.number).of(
        "one address, or two in order",
        { (addresses: [UInt16]) -> EmbeddedDataFormat.Register? in
            guard let first = addresses.first, (1...2).contains(addresses.count),
                addresses.count == 1 || Int(addresses[1]) == Int(first) + 1
            else { return nil }
            return EmbeddedDataFormat.Register(first, byteCount: addresses.count)
        }, { register in (0..<register.byteCount).map { register.address &+ UInt16($0) } })
}

// MARK: - Controls

extension JSONMember {
    /// Two members: what a unit of codes takes.
    ///
    /// Picoseconds and a divisor keep units exact that are no whole number of picoseconds, as a line of 1100 pixels at
    /// 74.25 MHz. A divisor that ``CodeDuration`` would reduce is refused: it would be written otherwise.
    fileprivate static func unit(
        _ name: String, _ path: any WritableKeyPath<Object, CodeDuration> & Sendable
    ) -> JSONMember {
        let positive = JSONForm<Int64>.number(1...Int64.max)
        return JSONMember(
            .part("\(name)_ps", positive, { $0[keyPath: path].picoseconds }) { object, duration in
                object[keyPath: path] = CodeDuration(picoseconds: duration)
                return true
            },
            .part("\(name)_divisor", positive, { $0[keyPath: path].divisor }) { object, divisor in
                object[keyPath: path] = CodeDuration(
                    picoseconds: object[keyPath: path].picoseconds, dividedBy: divisor)
                return object[keyPath: path].divisor == divisor
            })
    }

    /// Two members: when writes show, and how that is known.
    ///
    /// The origin decides whether fewer frames are possible: a figure that nobody measured is an upper bound.
    fileprivate static func latency(
        _ frames: any WritableKeyPath<Object, Int> & Sendable,
        _ origin: any WritableKeyPath<Object, FigureOrigin> & Sendable
    ) -> JSONMember {
        JSONMember(
            .member("latency_frames", frames, .number), .member("latency_from", origin, .origin))
    }
}

/// Stands in blank models until the name of the control is read.
private let noControl = CameraControl(rawValue: 0)

extension JSONForm where Value == ExposureModel {
    /// How codes of exposure are times: by a unit and an offset, or by the table that somebody measured.
    fileprivate static let exposure = object(
        ExposureModel(
            control: noControl, unitPicoseconds: 1, codes: CodeRange(0, 0), latencyFrames: 0),
        [
            .member("control", \.control, .control), .unit("unit", \.unit),
            .member("offset_ns", \.offset, .nanoseconds), .member("codes", \.codes, .codes),
            .member("table", \.table, .list(.measured)),
            .latency(\.latencyFrames, \.latencyOrigin),
        ])
}

extension JSONForm where Value == ExposureModel.Measured {
    fileprivate static let measured = object(
        ExposureModel.Measured(code: 0, duration: .zero),
        [.member("code", \.code, .number), .member("duration_ns", \.duration, .nanoseconds)])
}

extension JSONForm where Value == GainModel {
    /// How codes of gain are factors; `iso_at_unity` is the ISO that a gain of 1 is called.
    fileprivate static let gain = object(
        GainModel(
            control: noControl, law: .table([]), codes: CodeRange(0, 0), isoAtUnity: 100,
            latencyFrames: 0),
        [
            .member("control", \.control, .control), .member("law", \.law, .law),
            .member("codes", \.codes, .codes), .member("iso_at_unity", \.isoAtUnity, .number),
            .latency(\.latencyFrames, \.latencyOrigin),
        ])
}

extension JSONForm where Value == MeasuredGain {
    fileprivate static let measured = object(
        MeasuredGain(code: 0, gain: .unity),
        [.member("code", \.code, .number), .member("gain_millionths", \.gain, .millionths)])
}

extension JSONForm where Value == GainModel.Law {
    private static let formula = JSONForm(
        oneOf: JSONVariant(
            JSONField("linear_unity", JSONForm<Int64>.number), make: { .linear(unity: $0) },
            parts: { if case .linear(let unity) = $0 { unity } else { nil } }),
        JSONVariant(
            JSONField("reciprocal_base", JSONForm<Int64>.number), make: { .reciprocal(base: $0) },
            parts: { if case .reciprocal(let base) = $0 { base } else { nil } }),
        JSONVariant(
            JSONField("step_millidecibels", JSONForm<Int64>.number),
            make: { .exponential(stepMillidecibels: $0) },
            parts: { if case .exponential(let step) = $0 { step } else { nil } }),
        JSONVariant(
            JSONField("m0", JSONForm<Int64>.number), JSONField("c0", JSONForm<Int64>.number),
            JSONField("m1", JSONForm<Int64>.number), JSONField("c1", JSONForm<Int64>.number),
            make: { .rational(RationalGain(m0: $0, c0: $1, m1: $2, c1: $3)) },
            parts: { if case .rational(let k) = $0 { (k.m0, k.c0, k.m1, k.c1) } else { nil } }))
    private static let rows = JSONForm<[MeasuredGain]>.list(.measured)
    /// A formula by the names of its members, or a list of measured codes.
    fileprivate static let law = JSONForm(
        write: { if case .table(let gains) = $0 { rows.write(gains) } else { formula.write($0) } },
        read: { json throws(JSONFault) in
            json.arrayValue == nil ? try formula.read(json) : .table(try rows.read(json))
        })
}

extension JSONForm where Value == FocusModel {
    /// The codes of the nearest and the farthest lens position, which may lie either way round, and how long a move
    /// rests.
    fileprivate static let focus = object(
        FocusModel(control: noControl, nearCode: 0, farCode: 1, latencyFrames: 0, settle: .zero),
        [
            .member("control", \.control, .control), .member("near_code", \.nearCode, .number),
            .member("far_code", \.farCode, .number),
            .member("settle_ns", \.settle, .nanoseconds),
            .nullable("approach", \.approach, .approach),
            .latency(\.latencyFrames, \.latencyOrigin),
        ],
        check: { focus throws(JSONFault) in
            guard focus.nearCode != focus.farCode else {
                throw JSONFault("is a lens whose ends are the same")
            }
        })
}

extension JSONForm where Value == FocusModel.Approach {
    /// From which side the lens comes, and by how many codes it goes beyond its place first.
    fileprivate static let approach = object(
        FocusModel.Approach(side: .near, overTravelCodes: 1),
        [
            .member("from", \.side, .word),
            .member("over_travel_codes", \.overTravelCodes, .number),
        ])
}

extension JSONForm where Value == WhiteBalanceModel {
    /// What a camera does about white balance; `metadata` where a raw sensor leaves it to whoever develops its frames.
    fileprivate static let balance = object(
        WhiteBalanceModel(components: nil, temperature: nil, latencyFrames: 0),
        [
            .nullable("components", \.components, .components),
            .nullable("temperature", \.temperature, .temperature),
            .member("metadata", \.isMetadata, .flag),
            .latency(\.latencyFrames, \.latencyOrigin),
        ])
}

extension JSONForm where Value == WhiteBalanceModel.Components {
    fileprivate static let components = object(
        WhiteBalanceModel.Components(
            red: noControl, blue: noControl, unity: 1, codes: CodeRange(0, 0)),
        [
            .member("red", \.red, .control), .member("blue", \.blue, .control),
            .member("unity", \.unity, .number), .member("codes", \.codes, .codes),
        ])
}

extension JSONForm where Value == WhiteBalanceModel.Temperature {
    fileprivate static let temperature = object(
        WhiteBalanceModel.Temperature(control: noControl, codes: CodeRange(0, 0)),
        [.member("control", \.control, .control), .member("codes", \.codes, .codes)])
}

extension JSONForm where Value == SensorTiming {
    /// A raw sensor's frame timing; period and rate follow from the other members and are held against them.
    static let timing = object(
        SensorTiming.blank,
        [
            .member("pixel_rate_hz", \.pixelRateHertz, .number(1...Int64.max)),
            .member("line_pixels", \.linePixels, .number(1...Int64.max)),
            .unit("line", \.line), .member("frame_lines", \.frameLines, .number(1...Int64.max)),
            .member("blanking", \.blanking, .code),
            .derived("period_ns") { .integer($0.period.nanoseconds) },
            .derived("rate") { $0.rate.map(JSONForm<FrameRate>.rate.write) ?? .null },
            // Left out where a count is a line, so that such plans keep the hash that they always had.
            .member("lines_per_count", \.linesPerCount, .number, usually: 1),
        ])
}
