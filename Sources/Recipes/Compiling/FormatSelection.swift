internal import Devices
internal import Imaging
internal import Timebase

/// Chooses a format of a camera by what the frames are for: what a preset in `camera: {format: …}` comes to.
///
/// The choice depends on the profile's formats and limits alone, so it is the same on every machine. Where several
/// formats are equally good nothing is chosen: a recipe must not get other pixels after an update of a profile.
struct FormatSelection {
    /// Why no format could be chosen; the compiler reports it at the preset.
    struct Failure: Error {
        /// `preset-impossible` or `preset-ambiguous`.
        let id: String
        let message: String
        /// What there is to choose from, or what to name.
        let hint: String
    }

    /// A format that is recorded by framelock and has the pixels that are asked for, if any are.
    private struct Candidate {
        let format: CameraFormat
        let pixels: PixelFormat
        /// The end of its limits; nil where neither profile nor driver names a rate.
        let fastest: FrameRate?
        /// Whether it has the rate that is asked for, or none is.
        let isAsked: Bool

        /// Pixels of a frame, by which presets compare.
        var area: Int { format.size.width * format.size.height }
        var name: String { "\(pixels.name) \(format.size)" }
    }

    /// 24 fps: what `high`, `medium` and `low` do not go below.
    private static let smooth = FrameRate(frames: 24)

    private let preset: FormatPreset
    private let candidates: [Candidate]
    /// The camera as messages name it.
    private let place: String
    /// The rate that the recipe asks for; nil lets the preset choose.
    private let rate: FrameRate?

    /// Considers the formats of a profile.
    ///
    /// - Parameters:
    ///   - preset: what the frames are for.
    ///   - pixels: leaves other pixel formats out; nil for all.
    ///   - rate: leaves formats out that do not have it. Where a format lists no rates, its limits decide.
    ///   - profile: with formats; without any, choosing fails and reports it.
    init(
        _ preset: FormatPreset, pixels: PixelFormat?, rate: FrameRate?, profile: CameraProfile
    ) {
        self.preset = preset
        self.rate = rate
        place = "camera `\(profile.name)`"
        candidates = profile.formats.compactMap { format in
            guard let found = format.pixelFormat, pixels.map({ $0 == found }) ?? true else {
                return nil
            }
            let limits = profile.limits(of: format)
            let isOffered =
                rate.map { rate in
                    format.rates.isEmpty
                        ? limits.rates?.contains(rate) ?? true : format.rates.contains(rate)
                } ?? true
            return Candidate(
                format: format, pixels: found, fastest: limits.rates?.upperBound,
                isAsked: isOffered)
        }
    }

    /// Chooses the best format that fits.
    ///
    /// - Returns: the format, and the rate: the one that was asked for, else the fastest, else nil (with `photo`, or
    ///   where none is known).
    /// - Throws: ``Failure`` where nothing fits, or formats of different names fit equally well.
    func choose() throws(Failure) -> (pixels: PixelFormat, size: FrameSize, rate: FrameRate?) {
        guard !candidates.isEmpty else {
            throw Failure(
                id: "preset-impossible",
                message:
                    "\(place) has no format that preset `\(preset.rawValue)` could choose from",
                hint: "give `pixels` and `size`, or ask the attached camera with --camera")
        }
        let fitting = candidates.filter { $0.isAsked && isFitting($0) }
        guard let best = fitting.max(by: isWorse) else {
            throw Failure(
                id: "preset-impossible",
                message: "no format of \(place) is \(wish)",
                hint: "it offers \(list(candidates))")
        }
        let equals = fitting.filter { !isWorse($0, best) }
        guard Set(equals.map(\.name)).count == 1 else {
            throw Failure(
                id: "preset-ambiguous",
                message:
                    "preset `\(preset.rawValue)` fits several formats of \(place): \(list(equals))",
                hint: "name one with `pixels`, or give `pixels` and `size` instead of a preset")
        }
        return (best.pixels, best.format.size, rate ?? (preset == .photo ? nil : best.fastest))
    }

    /// Whether the preset takes a candidate at all; 1280×720 and 640×480 are limits of area, not of sides.
    private func isFitting(_ candidate: Candidate) -> Bool {
        let limit: Int? =
            switch preset {
            case .medium: 1280 * 720
            case .low: 640 * 480
            default: nil
            }
        if let limit, candidate.area > limit { return false }
        switch preset {
        case .photo: return true
        case .fastest: return candidate.fastest != nil
        case .high, .medium, .low:
            // Where nobody names a rate there is none that is too slow.
            guard rate == nil, let fastest = candidate.fastest, let smooth = Self.smooth else {
                return true
            }
            return fastest >= smooth
        }
    }

    /// The order of candidates: `fastest` without a rate sorts by rate first; everything else by area.
    private func isWorse(_ a: Candidate, _ b: Candidate) -> Bool {
        if preset == .fastest, rate == nil, let one = a.fastest, let two = b.fastest, one != two {
            return one < two
        }
        return a.area < b.area
    }

    /// What was looked for, after "no format of … is".
    private var wish: String {
        let speed = rate.map { " at \($0)" } ?? " at 24 fps or more"
        switch preset {
        case .photo: return "offered" + (rate.map { " at \($0)" } ?? "")
        case .high: return "offered\(speed)"
        case .medium: return "of at most 1280x720 pixels\(speed)"
        case .low: return "of at most 640x480 pixels\(speed)"
        case .fastest: return "offered with a rate"
        }
    }

    /// Candidates for a message, each name once, with the fastest rate where one is known.
    private func list(_ candidates: [Candidate]) -> String {
        var seen: Set<String> = []
        let names = candidates.map { $0.name + ($0.fastest.map { " up to \(text($0))" } ?? "") }
        return names.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }

    /// A rate to a thousandth, cut off: a sensor's exact ratios are long.
    private func text(_ rate: FrameRate) -> String {
        let thousandths = (Int128(rate.frames) * 1_000 / Int128(rate.seconds))
        return decimalText(UInt64(clamping: thousandths), unit: 1_000) + " fps"
    }
}
