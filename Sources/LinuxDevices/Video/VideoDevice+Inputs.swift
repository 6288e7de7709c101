internal import CVideo
internal import Devices
internal import Glibc
internal import Imaging
internal import Timebase

/// An input of a device that has several.
struct VideoInput: Hashable, Sendable {
    /// The number by which the driver's requests name it.
    var index: Int32
    var name: String
    /// Whether its format follows an HDMI or SDI signal.
    var hasTimings: Bool
    /// Whether the driver sees no signal on it.
    var lacksSignal: Bool
}

extension VideoDevice {
    /// More inputs than this are taken for a list that never ends.
    private static let inputsMaximum: UInt32 = 32
    /// The same of timings.
    private static let timingsMaximum: UInt32 = 256

    /// The device's inputs, in its own order.
    func listInputs() -> [VideoInput] {
        var inputs: [VideoInput] = []
        for index in 0..<VideoDevice.inputsMaximum {
            var query = v4l2_input()
            query.index = index
            guard fl_enuminput(descriptor, &query) >= 0 else { break }
            inputs.append(
                VideoInput(
                    index: Int32(index), name: fixedText(query.name),
                    hasTimings: query.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0,
                    lacksSignal: query.status & UInt32(V4L2_IN_ST_NO_SIGNAL) != 0))
        }
        return inputs
    }

    /// The input that is selected; nil for a device without inputs.
    func currentInput() -> VideoInput? {
        var index: Int32 = 0
        guard fl_g_input(descriptor, &index) >= 0 else { return nil }
        return listInputs().first { $0.index == index }
    }

    /// Selects an input by its name, the unique start of it, or its number.
    ///
    /// Another input may bring other formats and controls. One that is selected already is left alone, since drivers
    /// may refuse to select while frames come.
    ///
    /// - Returns: the input that was selected before; nil where it is the same.
    /// - Throws: ``DeviceError`` that lists the inputs.
    func selectInput(_ wanted: String) throws(DeviceError) -> VideoInput? {
        let inputs = listInputs()
        let byName = inputs.filter { $0.name == wanted || String($0.index) == wanted }
        let byStart = inputs.filter { $0.name.hasPrefix(wanted) }
        guard let input = byName.first ?? (byStart.count == 1 ? byStart.first : nil) else {
            let names = inputs.map { "`\($0.name)`" }.joined(separator: ", ")
            let list = inputs.isEmpty ? "it has none" : "it has \(names)"
            throw DeviceError(
                .unsupported,
                "\(subject) has no input `\(wanted)`; \(list)")
        }
        let before = currentInput()
        if before?.index == input.index { return nil }
        try select(input)
        return before
    }

    /// Selects an input that the device has listed.
    ///
    /// - Throws: ``DeviceError`` where the driver refuses.
    func select(_ input: VideoInput) throws(DeviceError) {
        var index = input.index
        let result = fl_s_input(descriptor, &index)
        guard result >= 0 else { throw failure(result, "select the input `\(input.name)`") }
    }

    /// The progressive timings that the selected input knows, without doubles; empty for a camera.
    func listTimings() -> [VideoTimings] {
        guard currentInput()?.hasTimings == true else { return [] }
        var known: [VideoTimings] = []
        for index in 0..<VideoDevice.timingsMaximum {
            var query = v4l2_enum_dv_timings()
            query.index = index
            guard fl_enum_dv_timings(descriptor, &query) >= 0 else { break }
            guard let timings = VideoTimings(query.timings) else { continue }
            if !known.contains(where: { $0.size == timings.size && $0.rate == timings.rate }) {
                known.append(timings)
            }
        }
        return known
    }

    /// Makes an HDMI or SDI input expect the size and rate that are asked.
    ///
    /// What the source sends is asked first. Where it sends something else, the wanted timings are set and the source
    /// is asked again: some devices follow what they are set to.
    ///
    /// - Parameters:
    ///   - size: the size of the whole image; nil for the one that is sent (a region of it will be captured).
    ///   - rate: the rate; nil for any.
    /// - Throws: ``DeviceError`` if there is no signal, or the source sends something else.
    func setTimings(_ size: FrameSize?, _ rate: FrameRate?) throws(DeviceError) {
        guard let input = currentInput(), input.hasTimings else { return }
        let detected = try queryTimings(input)
        guard let size = size ?? detected?.size else { return }
        if let detected, detected.fits(size, rate) { return try applyTimings(detected) }
        guard let wanted = listTimings().first(where: { $0.fits(size, rate) }) else {
            throw DeviceError(.unsupported, mismatch(input, detected, size, rate))
        }
        try applyTimings(wanted)
        if let now = try queryTimings(input), !now.fits(size, rate) {
            try applyTimings(now)
            throw DeviceError(.unsupported, mismatch(input, now, size, rate))
        }
    }

    /// The timings that the device measures on an input (VIDIOC_QUERY_DV_TIMINGS).
    ///
    /// - Returns: nil where it can't measure, or what it sees is interlaced.
    /// - Throws: ``DeviceError`` `notReady` without a signal (ENOLINK) or with one that is not locked (ENOLCK),
    ///   `unsupported` for one out of range (ERANGE).
    private func queryTimings(_ input: VideoInput) throws(DeviceError) -> VideoTimings? {
        var answer = v4l2_dv_timings()
        let result = fl_query_dv_timings(descriptor, &answer)
        let subject = "input `\(input.name)` of \(capability.card) (\(path))"
        switch -result {
        case ...0: return VideoTimings(answer)
        case ENOLINK:
            throw DeviceError(.notReady, "no signal on \(subject); check the cable and the source")
        case ENOLCK:
            throw DeviceError(
                .notReady, "the signal on \(subject) is unstable; check the cable and the source")
        case ERANGE:
            throw DeviceError(
                .unsupported, "the signal on \(subject) is beyond what the device can take")
        default: return nil
        }
    }

    /// Sets timings unless the device has them already.
    private func applyTimings(_ timings: VideoTimings) throws(DeviceError) {
        var current = v4l2_dv_timings()
        if fl_g_dv_timings(descriptor, &current) >= 0, let now = VideoTimings(current),
            now.fits(timings.size, timings.rate)
        {
            return
        }
        var raw = timings.raw
        let result = fl_s_dv_timings(descriptor, &raw)
        guard result >= 0 else { throw failure(result, "set the timings \(timings.text)") }
    }

    /// The message where input and request do not fit.
    private func mismatch(
        _ input: VideoInput, _ detected: VideoTimings?, _ size: FrameSize, _ rate: FrameRate?
    ) -> String {
        let wanted = rate.map { "\(size) at \($0)" } ?? "\(size)"
        let sent =
            detected.map { "the source sends \($0.text)" } ?? "the device knows no such timings"
        return
            "input `\(input.name)` of \(capability.card) (\(path)) can't deliver \(wanted): \(sent)"
    }
}
