internal import Devices
internal import Imaging
internal import Timebase

/// Chooses a format of a camera by what the frames are for.
struct FormatSelection {
    /// Why no format could be chosen.
    struct Failure: Error {
        let id: String
        let message: String
        let hint: String
    }

    private struct Candidate {
        let format: CameraFormat
        let pixels: PixelFormat
        let fastest: FrameRate?
        let isAsked: Bool

        var area: Int { format.size.width * format.size.height }
        var name: String { "\(pixels.name) \(format.size)" }
    }

    private static let smooth = FrameRate(frames: 24)

    private let preset: FormatPreset
    private let candidates: [Candidate]
    private let place: String
    private let rate: FrameRate?

    /// Considers the formats of a profile.
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

    /// Chooses.
    ///
    /// - Returns: the format, and the rate if the preset decides it.
    /// - Throws: ``Failure`` listing what there is.
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

    private func isWorse(_ a: Candidate, _ b: Candidate) -> Bool {
        if preset == .fastest, rate == nil, let one = a.fastest, let two = b.fastest, one != two {
            return one < two
        }
        return a.area < b.area
    }

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

    private func list(_ candidates: [Candidate]) -> String {
        var seen: Set<String> = []
        let names = candidates.map { $0.name + ($0.fastest.map { " up to \(text($0))" } ?? "") }
        return names.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }

    /// A rate to a thousandth: a sensor's exact ratios are long.
    private func text(_ rate: FrameRate) -> String {
        let thousandths = (Int128(rate.frames) * 1_000 / Int128(rate.seconds))
        return decimalText(UInt64(clamping: thousandths), unit: 1_000) + " fps"
    }
}
