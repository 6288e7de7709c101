internal import Devices
internal import Imaging
package import Notation
internal import Recipes
internal import Timebase

// The values of `run.json`. What no run can have is refused, so that who computes with them need not look again.

extension JSONForm where Value == FileDigest {
    /// 64 hexadecimal digits, small letters.
    static let digest = JSONForm<String>.text.of(
        "a SHA-256", { FileDigest($0) }, { $0.description })
}

extension JSONForm where Value == RecipeParameter {
    /// A parameter with its value as text, and whether the command line gave it.
    static let parameter = object(
        RecipeParameter(name: "", value: "", isOverridden: false),
        [
            .member("name", \.name, .text), .member("value", \.value, .text),
            .member("overridden", \.isOverridden, .flag),
        ])
}

extension JSONForm where Value == CameraIdentity {
    /// The camera as it was found; `path` is its device file.
    static let identity = object(
        CameraIdentity(id: "", name: "", driver: "", bus: "", backend: "", path: ""),
        [
            .member("id", \.id, .text), .member("name", \.name, .text),
            .member("driver", \.driver, .text), .member("bus", \.bus, .text),
            .member("backend", \.backend, .text), .member("path", \.path, .text),
        ])
}

extension JSONForm where Value == AcceptedConfiguration {
    /// What the camera agreed to.
    ///
    /// Pixels, sides and stride are read one after the other, and each is refused where no layout has it together with
    /// those before it.
    static let accepted = object(
        Manifest.blank.configuration,
        [
            .part("pixels", .pixels, { $0.layout.pixelFormat }) { accepted, pixels in
                accepted.take(FrameLayout(pixelFormat: pixels, size: accepted.layout.size))
            },
            .size(\.size),
            .part("bytes_per_row", strides, { $0.layout.bytesPerRow }) { accepted, stride in
                accepted.take(
                    FrameLayout(
                        pixelFormat: accepted.layout.pixelFormat, size: accepted.layout.size,
                        bytesPerRow: stride))
            },
            .derived("recorded_frame_bytes") { .integer(Int64($0.layout.recordedByteCount)) },
            .nullable("rate", \.rate, .rate), .member("buffers", \.bufferCount, .number),
            .nullable("camera_ticks_per_second", \.cameraTicksPerSecond, .number),
        ])
    /// Bytes of a row in the driver's memory.
    private static let strides = JSONForm<Int>.number(1...1 << 31)
}

extension AcceptedConfiguration {
    /// The frames' size, in rows without padding where it is set.
    fileprivate var size: FrameSize {
        get { layout.size }
        set { _ = take(FrameLayout(pixelFormat: layout.pixelFormat, size: newValue)) }
    }

    /// Takes a layout over; false for none.
    fileprivate mutating func take(_ layout: FrameLayout?) -> Bool {
        if let layout { self.layout = layout }
        return layout != nil
    }
}

extension JSONForm where Value == TimestampModel {
    /// The driver's timestamps; from a row's readout to the end of its exposure is with the rows.
    static let timestamps = object(
        Manifest.blank.timestamps,
        [
            .member("point", \.point, .word), .member("max_delay_ns", \.delay, .duration),
            .nullable("readout_ns", \.readout, .duration),
            .nullable("camera_clock", \.cameraClock, .cameraClock),
        ])
}

extension JSONForm where Value == RowReadout {
    /// At most a million, of lines or of parts in a million.
    private static let lines = JSONForm<Int64>.number(0...1_000_000)

    /// When rows are read out; `order` states whether the sensor sends the image from its top or its bottom.
    static let rows = object(
        Manifest.blank.rows,
        [
            .member("count", \.rows, .number(1...1_000_000)),
            .member("embedded_lines", \.embeddedLines, lines),
            .part("order", .text, { $0.isBottomUp ? "bottom_up" : "top_down" }) { rows, order in
                rows.isBottomUp = order == "bottom_up"
                return rows.isBottomUp || order == "top_down"
            },
            .nullable("readout_ns", \.duration, .duration),
            // A frame may take as long as recipes can have it.
            .nullable("longest_readout_ns", \.longest, .within(0...1 << 60)),
            .member("exposure_end_ns", \.offset.span, .within(-.longest ... .longest)),
            .member("exposure_end_half_width_ns", \.offset.halfWidth, .duration),
            .member("sensor_clock_ppm", \.clockPerMillion, lines),
        ])
}

extension Int64 {
    /// The longest that a profile can have.
    fileprivate static let longest = Quantity.longestDuration.nanoseconds
}

extension JSONForm where Value == Interval {
    /// From zero to the longest that a profile can have.
    fileprivate static let duration = within(0 ... .longest)

    /// Nanoseconds within limits, so that sums of a few such times can't overflow.
    fileprivate static func within(_ range: ClosedRange<Int64>) -> JSONForm {
        JSONForm<Int64>.number(range).of(
            "a time", { Interval(nanoseconds: $0) }, { $0.nanoseconds })
    }
}

extension JSONForm where Value == ClockResolution {
    /// More than a second is no clock's, and would not leave room to reckon.
    static let resolution = JSONForm<Int64>.number(1...1_000_000_000).of(
        "a resolution", { ClockResolution(.nanoseconds($0)) }, { $0.step.nanoseconds })
}

extension JSONForm where Value == Instant<Monotonic> {
    /// Nanoseconds of the monotonic clock, 36 years either way at most.
    static let epoch = JSONForm<Int64>.number(LedgerRow.countable).of(
        "a time", { Value(nanoseconds: $0) }, { $0.nanoseconds })
}

extension JSONForm where Value == BoundedInstant<Realtime> {
    /// For people: nothing is computed from it.
    static let realtime = object(
        BoundedInstant(Instant(nanoseconds: 0), halfWidth: .zero),
        [
            .derived("utc") { .string(UTCTime($0.instant).text) },
            .member("realtime_ns", \.instant, .reading),
            .member("half_width_ns", \.halfWidth, .within(0...Int64.max)),
        ])
}

extension JSONForm where Value == Instant<Realtime> {
    /// Nanoseconds since 1970, of either sign.
    fileprivate static let reading = JSONForm<Int64>.number.of(
        "a time", { Value(nanoseconds: $0) }, { $0.nanoseconds })
}

// MARK: - The end

extension JSONForm where Value == Judgement.Finding {
    /// A finding as it stands in `run.json`, `show --json` and `report --json`.
    package static let finding = object(
        Judgement.Finding(.dropped, message: "", isOverLimit: false),
        [
            .member("id", \.kind, .word), .member("message", \.message, .text),
            .member("over_limit", \.isOverLimit, .flag), .derived("look") { .string($0.kind.look) },
        ])
}

extension JSONForm where Value == ClosedRange<Int64> {
    /// The first and the last slot that had no turn; the last is not before the first.
    static let slots = JSONForm(
        oneOf: JSONVariant(
            JSONField("first_slot", JSONForm<Int64>.number),
            JSONField("last_slot", JSONForm<Int64>.number),
            make: { $0 <= $1 ? $0...$1 : nil }, parts: { ($0.lowerBound, $0.upperBound) }))
}

extension JSONForm {
    /// A count for each word that has one.
    ///
    /// Words in the order of their cases; one that has no count is left out, one that is not known here is refused.
    static func counts<Word>() -> JSONForm
    where
        Value == [Word: Int64], Word: RawRepresentable<String> & CaseIterable & Hashable,
        Word: SendableMetatype
    {
        JSONForm(
            write: { counts in
                .object(
                    JSONObject(
                        Word.allCases.compactMap { word in
                            counts[word].map { (word.rawValue, .integer($0)) }
                        }))
            },
            read: { json throws(JSONFault) in
                guard let members = json.objectValue?.members else {
                    throw JSONFault("is not an object")
                }
                var counts: [Word: Int64] = [:]
                for member in members {
                    guard let word = Word(rawValue: member.name) else {
                        throw JSONFault("is not known here").inside(member.name)
                    }
                    do throws(JSONFault) {
                        counts[word] = try JSONForm<Int64>.number.read(member.value)
                    } catch {
                        throw error.inside(member.name)
                    }
                }
                return counts
            })
    }
}
