package import Devices
package import Imaging
package import Notation
package import Timebase

// How the values of plans and records stand in JSON: in whole numbers, and in the words of recipes.

extension JSONForm where Value == Interval {
    /// Nanoseconds, of either sign.
    package static let nanoseconds = JSONForm<Int64>.number.of(
        "a time", { Interval(nanoseconds: $0) }, { $0.nanoseconds })
}

extension JSONForm where Value == FrameRate {
    /// Two whole numbers, frames in so many seconds, so that rates such as 30000/1001 stay exact.
    package static let rate = JSONForm(
        oneOf: JSONVariant(
            JSONField("frames", JSONForm<Int64>.number),
            JSONField("seconds", JSONForm<Int64>.number),
            make: { FrameRate(frames: $0, seconds: $1) }, parts: { ($0.frames, $0.seconds) }))
}

extension JSONForm where Value == Temperature {
    /// Thousandths of a degree Celsius.
    package static let millidegrees = JSONForm<Int64>.number.of(
        "a temperature", { Temperature(millidegrees: $0) }, { $0.millidegrees })
}

extension JSONForm where Value == PixelFormat {
    /// The name of one of the known formats, for example `SRGGB12`.
    package static let pixels = JSONForm<String>.text.of(
        "a pixel format", { PixelFormat.named($0) }, { $0.name })
}

extension JSONForm where Value == CameraControl {
    /// The name that `v4l2-ctl` prints, or `0x…` with the number of a control that has none here.
    package static let control = JSONForm<String>.text.of(
        "a control", { CameraControl(name: $0) }, { $0.name })
}

extension JSONForm where Value == Gain {
    /// Millionths of a factor; negative ones are refused.
    static let millionths = JSONForm<Int64>.number(0...Int64.max).of(
        "a gain", { Gain(millionths: $0) }, { $0.millionths })
}

extension JSONForm where Value == LensPosition {
    /// Millionths of the way from the nearest (0) to the farthest (1) position.
    static let millionths = JSONForm<Int64>.number.of(
        "a lens position", { LensPosition(millionths: $0) }, { $0.millionths })
}

extension JSONForm where Value == Aperture {
    /// Thousandths of the f-number.
    static let thousandths = JSONForm<Int64>.number.of(
        "an aperture", { Aperture(thousandths: $0) }, { $0.thousandths })
}

extension JSONForm where Value == FrameRegion {
    /// As recipes write a region.
    static let region = JSONForm<String>.text.of(
        "a region", { try? Quantity.region($0) }, { $0.description })
}

extension JSONForm where Value == FigureOrigin {
    /// As profiles write it.
    static let origin = JSONForm<String>.text.of(
        "the origin of a figure", { FigureOrigin($0) }, { $0.description })
}

extension JSONForm where Value == ControlValue {
    /// A control with the device's own code for a value.
    static let code = object(
        ControlValue(CameraControl(rawValue: 0), 0),
        [.member("control", \.control, .control), .member("code", \.code, .number)])
}

extension JSONForm where Value == CodeRange {
    /// Limits of codes, with the step between them.
    ///
    /// A range whose step does not lead from its minimum to its maximum is refused, since ``CodeRange`` would make
    /// another one of it.
    static let codes = object(
        CodeRange(0, 0),
        [
            .member("minimum", \.minimum, .number), .member("maximum", \.maximum, .number),
            .member("step", \.step, .number(1...Int64.max)),
        ],
        check: { codes throws(JSONFault) in
            guard codes.minimum <= codes.maximum,
                codes == CodeRange(codes.minimum, codes.maximum, step: codes.step)
            else { throw JSONFault("is no range of codes") }
        })
}

extension JSONForm where Value == ControlGroup {
    /// As sentences call it.
    package static let group = plain(
        "a setting", { .string($0.words) },
        { json in ControlGroup.all.first { $0.words == json.stringValue } })
}

extension JSONForm where Value == SkippedSetting {
    /// A setting that was left out, with the words of the recipe and the problem's id.
    package static let skipped = object(
        SkippedSetting(.exposure, asked: "", reason: ""),
        [
            .member("setting", \.group, .group), .member("asked", \.asked, .text),
            .member("reason", \.reason, .text),
        ])
}

extension JSONMember {
    /// The sides of frames.
    ///
    /// Two members, `width` and `height`, each 1 to 65 535; a side that makes no frame is a fault of its own member.
    package static func size(
        _ path: any WritableKeyPath<Object, FrameSize> & Sendable
    ) -> JSONMember {
        let side = JSONForm<Int>.number(1...65_535)
        return JSONMember(
            .part("width", side, { $0[keyPath: path].width }) { object, width in
                let size = FrameSize(width: width, height: object[keyPath: path].height)
                object[keyPath: path] = size ?? .pixel
                return size != nil
            },
            .part("height", side, { $0[keyPath: path].height }) { object, height in
                let size = FrameSize(width: object[keyPath: path].width, height: height)
                object[keyPath: path] = size ?? .pixel
                return size != nil
            })
    }
}

// MARK: - Settings

extension JSONForm where Value == FrameSettings {
    /// What is free is left out, what stays as found is `"current"`.
    ///
    /// The order of members belongs to the canonical text, and so to every plan's hash.
    static let settings = object(
        FrameSettings(),
        [
            .member("exposure_ns", \.exposure, .setting(.nanoseconds), usually: .free),
            .member("gain_millionths", \.gain, .setting(.millionths), usually: .free),
            .member("lens_millionths", \.lens, .setting(.millionths), usually: .free),
            .member("white_balance", \.whiteBalance, .setting(.whiteBalance), usually: .free),
            // Left out where it is the run's, so that such plans keep the hash that they always had.
            .optional("rate", \.rate, .rate),
        ])
}

extension FrameSettings {
    /// The settings as JSON in whole numbers.
    package var json: JSONValue { JSONForm<FrameSettings>.settings.write(self) }
}

extension JSONForm {
    /// A setting that is not free.
    ///
    /// Only for members that are left out where the setting is free: a free one would be written as `"current"`.
    fileprivate static func setting<Asked>(_ form: JSONForm<Asked>) -> JSONForm
    where Value == Setting<Asked> {
        JSONForm(
            write: { $0.asked.map(form.write) ?? "current" },
            read: { json throws(JSONFault) in
                json == "current" ? .current : .value(try form.read(json))
            })
    }
}

extension JSONForm where Value == WhiteBalance {
    /// Gains, a temperature with its tint, or a chromaticity, distinguished by the names of the members.
    fileprivate static let whiteBalance = JSONForm(
        oneOf: JSONVariant(
            JSONField("red_millionths", JSONForm<Gain>.millionths),
            JSONField("green_millionths", JSONForm<Gain>.millionths),
            JSONField("blue_millionths", JSONForm<Gain>.millionths),
            make: { .gains(red: $0, green: $1, blue: $2) },
            parts: {
                if case .gains(let red, let green, let blue) = $0 {
                    (red, green, blue)
                } else {
                    nil
                }
            }),
        JSONVariant(
            JSONField("temperature_k", JSONForm<Int64>.number(0...Int64.max)),
            JSONField("tint_thousandths", JSONForm<Int64>.number),
            make: { .temperature(kelvin: $0, tintThousandths: $1) },
            parts: { if case .temperature(let a, let b) = $0 { (a, b) } else { nil } }),
        JSONVariant(
            JSONField("x_millionths", JSONForm<Int64>.number(0...Int64.max)),
            JSONField("y_millionths", JSONForm<Int64>.number(0...Int64.max)),
            make: { .chromaticity(xMillionths: $0, yMillionths: $1) },
            parts: { if case .chromaticity(let a, let b) = $0 { (a, b) } else { nil } }))
}
