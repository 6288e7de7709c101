public import Devices
public import Notation
internal import Timebase

extension FrameSettings {
    /// The settings as JSON in whole numbers; what is free is left out, what stays as found is `"current"`.
    public var json: JSONValue {
        var object = JSONObject()
        object["exposure_ns"] = exposure.json { .integer($0.nanoseconds) }
        object["gain_millionths"] = gain.json { .integer($0.millionths) }
        object["lens_millionths"] = lens.json { .integer($0.millionths) }
        object["white_balance"] = whiteBalance.json(\.json)
        // Left out where it is the run's, so that such plans keep the hash that they always had.
        object["rate"] = rate.map {
            ["frames": .integer($0.frames), "seconds": .integer($0.seconds)]
        }
        return .object(object)
    }

    /// Reads settings from what ``json`` writes; nil for anything else.
    public init?(json: JSONValue) {
        guard let object = json.objectValue,
            let exposure = Setting(
                json: object["exposure_ns"],
                { value in
                    value.integerValue.map { Interval(nanoseconds: $0) }
                }),
            let gain = Setting(
                json: object["gain_millionths"],
                { value in
                    value.integerValue.flatMap { $0 >= 0 ? Gain(millionths: $0) : nil }
                }),
            let lens = Setting(
                json: object["lens_millionths"],
                { value in
                    value.integerValue.flatMap { LensPosition(millionths: $0) }
                }),
            let balance = Setting(json: object["white_balance"], { WhiteBalance(json: $0) })
        else { return nil }
        self.init(exposure: exposure, gain: gain, lens: lens, whiteBalance: balance)
        guard let written = object["rate"] else { return }
        guard let frames = written["frames"]?.integerValue, frames > 0,
            let seconds = written["seconds"]?.integerValue, seconds > 0,
            let rate = FrameRate(frames: frames, seconds: seconds)
        else { return nil }
        self.rate = rate
    }
}

extension Setting {
    fileprivate func json(_ value: (Value) -> JSONValue) -> JSONValue? {
        switch self {
        case .free: nil
        case .current: "current"
        case .value(let asked): value(asked)
        }
    }

    fileprivate init?(json: JSONValue?, _ value: (JSONValue) -> Value?) {
        guard let json else {
            self = .free
            return
        }
        if json.stringValue == "current" {
            self = .current
        } else if let asked = value(json) {
            self = .value(asked)
        } else {
            return nil
        }
    }
}

extension WhiteBalance {
    var json: JSONValue {
        switch self {
        case .gains(let red, let green, let blue):
            [
                "red_millionths": .integer(red.millionths),
                "green_millionths": .integer(green.millionths),
                "blue_millionths": .integer(blue.millionths),
            ]
        case .temperature(let kelvin, let tint):
            ["temperature_k": .integer(kelvin), "tint_thousandths": .integer(tint)]
        case .chromaticity(let x, let y):
            ["x_millionths": .integer(x), "y_millionths": .integer(y)]
        }
    }

    init?(json: JSONValue) {
        func number(_ name: String) -> Int64? {
            json[name]?.integerValue.flatMap { $0 >= 0 ? $0 : nil }
        }
        if let red = number("red_millionths"), let green = number("green_millionths"),
            let blue = number("blue_millionths")
        {
            self = .gains(
                red: Gain(millionths: red), green: Gain(millionths: green),
                blue: Gain(millionths: blue))
        } else if let kelvin = number("temperature_k"),
            let tint = json["tint_thousandths"]?.integerValue
        {
            self = .temperature(kelvin: kelvin, tintThousandths: tint)
        } else if let x = number("x_millionths"), let y = number("y_millionths") {
            self = .chromaticity(xMillionths: x, yMillionths: y)
        } else {
            return nil
        }
    }
}
