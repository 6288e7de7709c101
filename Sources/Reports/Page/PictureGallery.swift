internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Records
internal import Stills
internal import Timebase

/// The pictures of a report's page: small, developed for the eye, inside the page itself.
///
/// All are developed alike, so that a darker frame is a darker picture.
struct PictureGallery {
    /// Pixels of a row at most.
    private static let width = 320
    /// Of libjpeg's scale.
    private static let quality: Int32 = 80

    /// Stands where a picture would.
    private static let missing =
        "The frame can't be shown: it is damaged, or another one than was recorded. `framelock verify` says more."

    private let run: RecordedRun
    private let entries: [LedgerEntry]

    init(_ run: RecordedRun, _ choice: PictureChoice) {
        (self.run, entries) = (run, choice.chosen)
    }

    /// The section of the page.
    var markup: String {
        """
        <section id="pictures"><h2>Pictures</h2>
        \(content)
        </section>
        """
    }

    private var content: String {
        guard let frames = RecordedFrames(run) else {
            return "<p>The run was recorded without pixels.</p>"
        }
        guard !entries.isEmpty else { return "<p>No frame was recorded.</p>" }
        let gains = gains(frames)
        let figures = entries.map { figure($0, frames, gains) }
        let balance =
            gains.isFound
            ? " Colours are balanced so that the first picture is grey in its middle." : ""
        return """
            <p>The first frame of each step with each of its settings and lights: \(PictureChoice.most) at most, \
            evenly chosen where there are more, and frames from all over the run where these are few. Pictures are \
            reduced and developed for the eye, all alike: nothing is measured on them.\(balance)</p>
            <div class="pictures">
            \(figures.joined(separator: "\n"))
            </div>
            """
    }

    /// What a raw sensor's samples are multiplied with where the plan has no gains: those that make the first picture
    /// grey; a camera that balances has done it.
    private func gains(_ frames: RecordedFrames) -> (common: ChannelGains, isFound: Bool) {
        let profile = run.plan.camera.profile
        guard case .bayer = run.frames.pixelFormat.samples,
            profile.whiteBalance?.isMetadata ?? true, let first = entries.first
        else { return (.unity, false) }
        let meter = FrameMeter(
            format: run.frames.pixelFormat, size: run.frames.size, blackLevel: levels.black,
            subjects: .balance)
        let found = frames.withFrame(of: first) { meter.read($0).balance?.gains }
        guard let gains = found ?? nil else { return (.unity, false) }
        return (gains, true)
    }

    /// What the profile says of no light and of saturation, where that can be.
    private var levels: (black: Int, white: Int?) {
        let format = run.frames.pixelFormat
        guard let levels = run.plan.camera.profile.levels(bits: format.bitsPerSample),
            (0..<Int64(format.maximum)).contains(Int64(levels.black))
        else { return (0, nil) }
        return (Int(levels.black), Int(levels.white))
    }

    private func figure(
        _ entry: LedgerEntry, _ frames: RecordedFrames,
        _ gains: (common: ChannelGains, isFound: Bool)
    ) -> String {
        let row = entry.row
        let label = run.label(ofStep: row.step)
        let title = "slot \(row.slot)\(label.map { ", \($0)" } ?? "")"
        let picture = picture(entry, frames, gains.common)
        let image = picture.map {
            """
            <img src="data:image/jpeg;base64,\($0.bytes.base64)" width="\($0.size.width)" \
            height="\($0.size.height)" alt="\("frame of \(title)".markup)"/>
            """
        }
        return """
            <figure>\(image ?? "<p>\(Self.missing)</p>")<figcaption><strong>\(title.markup)</strong> \
            \(caption(entry).markup)</figcaption></figure>
            """
    }

    private func picture(
        _ entry: LedgerEntry, _ frames: RecordedFrames, _ gains: ChannelGains
    ) -> (bytes: [UInt8], size: FrameSize)? {
        let planned = run.plan.settings[Int(entry.row.settings)]
        let settings = DevelopmentSettings(
            black: [levels.black], white: levels.white,
            gains: run.plan.camera.profile.gainsToDevelop(planned) ?? gains)
        guard
            let development = Development(
                run.frames.pixelFormat, size: run.frames.size, settings: settings),
            let image = frames.withFrame(
                of: entry,
                {
                    development.image(of: $0).reduced(toWidth: Self.width)
                }),
            let bytes = try? StillFile.jpeg(image, StillMetadata(), quality: Self.quality)
        else { return nil }
        return (bytes, image.size)
    }

    /// Step, what the frame had and how that is known, lights, rounds and brightness.
    private func caption(_ entry: LedgerEntry) -> String {
        let row = entry.row
        var parts = [run.plan.steps[Int(row.step)]]
        let values: [(ControlGroup, String?)] = [
            (
                .exposure,
                row.applied.exposure.map { "exposure \(Measure.time($0.nanoseconds))" }
            ),
            (.gain, row.applied.gainMillionths.map { "gain \(Gain(millionths: $0))" }),
            (
                .lens,
                row.applied.lensMillionths.flatMap(LensPosition.init(millionths:)).map {
                    "lens \($0)"
                }
            ),
        ]
        if row.applied.exposure == nil { parts.append("exposure not known") }
        for case (let group, let text?) in values {
            parts.append("\(text) (\(row.applied[knownBy: group].rawValue))")
        }
        let (lights, rounds) = (run.lights(of: entry.place), entry.place.roundsText)
        if !lights.isEmpty { parts.append("light \(lights)") }
        if !rounds.isEmpty { parts.append("round \(rounds)") }
        if let mean = entry.lumaMeanThousandths { parts.append("mean \(Measure.luma.text(mean))") }
        return parts.joined(separator: "; ")
    }
}

extension [UInt8] {
    /// RFC 4648, 4: with padding, on one line.
    fileprivate var base64: String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((count + 2) / 3 * 4)
        for start in stride(from: 0, to: count, by: 3) {
            let part = self[start..<Swift.min(start + 3, count)]
            let bits = part.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
            for digit in 0..<4 {
                let isPadding = digit > part.count
                text.append(
                    isPadding ? UInt8(ascii: "=") : digits[Int(bits >> UInt32(18 - 6 * digit) & 63)]
                )
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
