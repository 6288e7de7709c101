internal import Devices
internal import Imaging
internal import Instrument
internal import LiveControl
internal import Notation
internal import Timebase

/// What a light meter shows.
///
/// EV100 is of the scene: the exposure's own, corrected by how far the picture is from the target.
struct MeterReport {
    /// The exposure that the camera has.
    private let reading: LightReading
    /// How much brighter than the target the picture is, in thousandths of an EV; negative for darker.
    private let offset: Int64
    /// Whether so much is saturated that the light may be more.
    private let isLowerBound: Bool
    /// The exposure that meets the target, by its duration alone: aperture and ISO stay.
    private let right: LightReading
    /// The other camera's triple that exposes like ``right``; nil if none is wanted.
    private let equivalent: LightReading?

    /// Works out what to show.
    ///
    /// ISO is the gain times the profile's ISO at gain 1; the right duration is the present one times 2 to the power of
    /// −offset.
    ///
    /// - Throws: ``Failure`` with exit code 69 where duration, gain or offset are not known, or the light is beyond
    ///   what readings hold; 64 where the third value of the other camera would be.
    init(
        _ state: ManualState, _ profile: CameraProfile, aperture: Int64, _ wanted: WantedTriple
    ) throws {
        guard let duration = state.duration, let gain = state.gain, let model = profile.gain,
            let offset = state.offsetThousandths
        else {
            throw Failure.unavailable(
                "camera profile `\(profile.name)` does not give exposure duration and gain, without which light"
                    + " can't be measured")
        }
        let iso = Int64(Int128(gain.millionths) * Int128(model.isoAtUnity) / 1_000)
        // 2^−offset times the duration meets the target.
        let factor = BinaryLogarithm.powerMillionths(thousandths: -offset)
        let target = Int128(duration.nanoseconds) * Int128(factor) / 1_000_000
        guard
            let reading = LightReading(
                apertureThousandths: aperture, exposure: duration, isoThousandths: iso),
            let right = LightReading(
                apertureThousandths: aperture,
                exposure: Interval(nanoseconds: Int64(clamping: target)), isoThousandths: iso)
        else {
            throw Failure.unavailable("the light is beyond what a meter can show")
        }
        self.reading = reading
        self.right = right
        self.offset = offset
        isLowerBound = state.isOffsetLowerBound
        equivalent = wanted.equivalent(to: right)
        if wanted.isWanted, equivalent == nil {
            throw Failure.usage("no camera could expose like that: the third value is out of range")
        }
    }

    /// For people: f-numbers, durations and ISO as cameras show them.
    var text: String {
        var lines = [
            "EV100     \(Self.ev(reading.sceneEV100Thousandths(offsetThousandths: offset)))"
                + (isLowerBound ? " or more: parts are saturated" : ""),
            "offset    \(Self.ev(offset)) EV from the target",
            "exposure  \(Self.text(reading))",
            "right     \(Self.text(right))",
        ]
        if let equivalent { lines.append("alike     \(Self.text(equivalent))") }
        return lines.joined(separator: "\n")
    }

    /// For programs: whole numbers with their units; `equivalent` is null where none is wanted.
    var json: JSONValue {
        [
            "ev100_thousandths": .integer(
                reading.sceneEV100Thousandths(offsetThousandths: offset)),
            "offset_thousandths_ev": .integer(offset),
            "is_lower_bound": .bool(isLowerBound),
            "exposure": Self.json(reading),
            "right_exposure": Self.json(right),
            "equivalent": equivalent.map(Self.json) ?? .null,
        ]
    }

    private static func text(_ reading: LightReading) -> String {
        "f/\(decimalText(UInt64(reading.apertureThousandths), unit: 1_000))"
            + "  \(reading.exposure)  ISO \(decimalText(UInt64(reading.isoThousandths), unit: 1_000))"
    }

    private static func json(_ reading: LightReading) -> JSONValue {
        [
            "aperture_thousandths": .integer(reading.apertureThousandths),
            "exposure_ns": .integer(reading.exposure.nanoseconds),
            "iso_thousandths": .integer(reading.isoThousandths),
        ]
    }

    /// Thousandths of an EV with sign and two places, rounded half away from zero: `+1.50`.
    ///
    /// Zero, and what rounds to it, has a plus.
    static func ev(_ thousandths: Int64) -> String {
        let hundredths = (thousandths.magnitude + 5) / 10
        let places = hundredths % 100
        let sign = thousandths < 0 && hundredths > 0 ? "-" : "+"
        return "\(sign)\(hundredths / 100).\(places < 10 ? "0" : "")\(places)"
    }
}
