internal import Cameras
internal import Imaging
internal import Notation
internal import Timebase

extension PlanCompiler {
    /// The configuration that the recipe asks for, checked against what the profile says the camera offers.
    mutating func captureConfiguration(input: String?) -> CaptureConfiguration {
        let need = recipe.camera
        checkFormat(need)
        if let region = need.region { check(region, within: need.size.value) }
        return CaptureConfiguration(
            pixelFormat: need.pixelFormat.value, size: need.size.value, rate: need.rate?.value,
            region: need.region?.value, input: input)
    }

    private mutating func checkFormat(_ need: CameraNeed) {
        let offered = profile.formats
        if offered.isEmpty { return }
        let ofPixels = offered.filter { $0.pixelFormat == need.pixelFormat.value }
        guard !ofPixels.isEmpty else {
            report(
                "pixel-format-not-offered", at: need.pixelFormat.range,
                "camera `\(profile.name)` does not offer \(need.pixelFormat.value.name)",
                hint: "it offers \(listed(offered.map { $0.pixelFormat?.name ?? $0.fourCC }))")
            return
        }
        let ofSize = ofPixels.filter { $0.size == need.size.value }
        guard !ofSize.isEmpty else {
            report(
                "size-not-offered", at: need.size.range,
                "camera `\(profile.name)` does not offer \(need.pixelFormat.value.name) at"
                    + " \(need.size.value)",
                hint: "it offers \(listed(ofPixels.map(\.size.description)))")
            return
        }
        let rates = ofSize.flatMap(\.rates)
        guard let rate = need.rate, !rates.isEmpty, !rates.contains(rate.value) else { return }
        report(
            "rate-not-offered", at: rate.range,
            "camera `\(profile.name)` does not offer \(rate.value) at \(need.size.value)"
                + " \(need.pixelFormat.value.name)",
            hint: "it offers \(listed(rates.map(\.description)))")
    }

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
