internal import Devices
internal import Imaging
internal import Notation
internal import Timebase

extension PlanCompiler {
    /// The configuration that the recipe asks for, checked against what the camera offers by its profile.
    ///
    /// The layout of pixels that the profile pins (flips) and the embedded data that it knows to read are in it. A
    /// profile without formats is no objection: the device itself decides when it is configured.
    ///
    /// - Parameter input: the device's input, where recipe or rig name one.
    /// - Returns: nil, and reports why, where a preset chooses nothing.
    mutating func captureConfiguration(input: String?) -> CaptureConfiguration? {
        let need = recipe.camera.format
        guard let (pixels, size, rate) = format(need) else { return nil }
        let region = recipe.camera.region
        if let region { check(region, within: size) }
        return CaptureConfiguration(
            pixelFormat: pixels, size: size, rate: rate, region: region?.value, input: input
        ).fitted(to: profile).withEmbeddedData(of: profile)
    }

    /// Pixels, size and rate: the preset's choice, or as they are written and then checked.
    private mutating func format(
        _ need: FormatNeed
    ) -> (pixels: PixelFormat, size: FrameSize, rate: FrameRate?)? {
        if let preset = need.preset {
            let selection = FormatSelection(
                preset.value, pixels: need.pixelFormat?.value, rate: need.rate?.value,
                profile: profile)
            do throws(FormatSelection.Failure) {
                return try selection.choose()
            } catch {
                report(error.id, at: preset.range, error.message, hint: error.hint)
                return nil
            }
        }
        guard let pixels = need.pixelFormat, let size = need.size else {
            preconditionFailure("a format without preset has pixels and size")
        }
        check(pixels, size, need.rate)
        return (pixels.value, size.value, need.rate?.value)
    }

    /// Reports the first of pixels, size and rate that no format has together with those before; rates count only where
    /// a driver lists them.
    private mutating func check(
        _ pixels: Located<PixelFormat>, _ size: Located<FrameSize>, _ rate: Located<FrameRate>?
    ) {
        let offered = profile.formats
        if offered.isEmpty { return }
        let ofPixels = offered.filter { $0.pixelFormat == pixels.value }
        guard !ofPixels.isEmpty else {
            report(
                "pixel-format-not-offered", at: pixels.range,
                "camera `\(profile.name)` does not offer \(pixels.value.name)",
                hint: "it offers \(listed(offered.map { $0.pixelFormat?.name ?? $0.fourCC }))")
            return
        }
        let ofSize = ofPixels.filter { $0.offers(size.value) }
        guard !ofSize.isEmpty else {
            report(
                "size-not-offered", at: size.range,
                "camera `\(profile.name)` does not offer \(pixels.value.name) at"
                    + " \(size.value)",
                hint:
                    "it offers \(listed(ofPixels.map { $0.range?.description ?? $0.size.description }))"
            )
            return
        }
        let rates = ofSize.flatMap(\.rates)
        guard let rate, !rates.isEmpty, !rates.contains(rate.value) else { return }
        report(
            "rate-not-offered", at: rate.range,
            "camera `\(profile.name)` does not offer \(rate.value) at \(size.value)"
                + " \(pixels.value.name)",
            hint: "it offers \(listed(rates.map(\.description)))")
    }

    /// The region has to be as large as the frame, since frames are not scaled; whether the sensor can read it is the
    /// device's business.
    private mutating func check(_ region: Located<FrameRegion>, within size: FrameSize) {
        let value = region.value
        guard value.size == size else {
            report(
                "region-size", at: region.range,
                "the region's size \(value.size) is not the frame size \(size)",
                hint: "the frame is the region: give both the same size")
            return
        }
    }

    /// Words in the order given, without repeats.
    private func listed(_ words: [String]) -> String {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }
}
