internal import Devices
internal import Imaging
internal import Timebase

/// The rate of a raw sensor: the lines after a frame, since no capture node of one takes a rate.
///
/// A frame takes (height + vertical blanking) lines of (width + horizontal blanking) / pixel rate each, by the size
/// that leaves the sensor, as the Raspberry Pi's drivers and libcamera count; camera-sensor.rst of the kernel takes the
/// analogue crop instead.
struct SensorFrameLength {
    private let timing: DriverTiming
    private let controls: CameraControls
    /// The camera's id, for messages.
    private let id: String

    /// Sets the rate of a configuration: by the frame length of a raw sensor, else by asking the node.
    ///
    /// - Parameters:
    ///   - configuration: with rate or blanking; the format must be set already, since the figures are the mode's.
    ///   - controls: those of all parts.
    ///   - node: the capture node, asked where the frame length is no control.
    ///   - id: the camera's id, for messages.
    /// - Returns: the rate that is promised; nil if none is.
    /// - Throws: ``DeviceError`` for a rate that can't be, or is not taken.
    static func setRate(
        _ configuration: CaptureConfiguration, by controls: CameraControls, or node: VideoDevice,
        of id: String
    ) throws(DeviceError) -> FrameRate? {
        if let length = SensorFrameLength(controls, configuration.size, of: id) {
            return try length.set(configuration)
        }
        let pixels = configuration.pixelFormat
        let format = CameraFormat(
            fourCC: fourCCText(pixels.fourCC), pixelFormat: pixels, size: configuration.size,
            rates: [])
        return try node.setRate(configuration.rate, for: format)
    }

    /// Looks for the timing of the mode that is set.
    ///
    /// - Returns: nil for a camera whose frame length is not a control that can be written.
    init?(_ controls: CameraControls, _ size: FrameSize, of id: String) {
        guard let timing = DriverTiming(controls.describe(), size: size), timing.isSettable else {
            return nil
        }
        self.timing = timing
        self.controls = controls
        self.id = id
    }

    /// Writes the blanking of a configuration, or that of its rate, and reads back what the sensor made of it.
    ///
    /// Without either the frame length stays as it is.
    ///
    /// - Returns: the rate that the driver's own figures amount to; nil if they are too large for one.
    /// - Throws: ``DeviceError`` where frames can't be so long or so short, or the sensor does not take it.
    func set(_ configuration: CaptureConfiguration) throws(DeviceError) -> FrameRate? {
        guard let wanted = try blanking(configuration) else {
            return timing.blanking.flatMap { timing.rate(blanking: $0) }
        }
        let value = ControlValue(timing.control, wanted)
        let status = withUnsafePointer(to: value) { pointer in
            controls.write(UnsafeBufferPointer(start: pointer, count: 1))
        }
        guard status >= 0 else {
            throw DeviceError(
                .refused,
                "camera \(id) did not take \(wanted) for \(value.control.name):"
                    + " \(KernelError(code: -status))")
        }
        guard case .success(let found) = controls.read(value.control) else {
            throw DeviceError(.failed, "camera \(id) does not report its \(value.control.name)")
        }
        guard found == wanted else {
            throw DeviceError(
                .refused,
                "camera \(id) made \(found) of \(wanted) lines of \(value.control.name): its frames"
                    + " would have another length than planned")
        }
        return timing.rate(blanking: found)
    }

    /// The blanking that a configuration asks for, by itself or by its rate; nil if it asks for neither.
    ///
    /// - Throws: ``DeviceError`` `unsupported` where it is out of the driver's range.
    private func blanking(
        _ configuration: CaptureConfiguration
    ) throws(DeviceError) -> Int64? {
        if let blanking = configuration.blanking, blanking.control == timing.control {
            guard timing.blankingLines.nearest(blanking.code) == blanking.code else {
                throw outside("\(blanking.code) lines after a frame", configuration.size)
            }
            return blanking.code
        }
        guard let rate = configuration.rate else { return nil }
        guard let code = timing.blanking(at: rate) else {
            throw outside("\(rate)", configuration.size)
        }
        return code
    }

    /// The message for frames that are too long or too short for the driver.
    private func outside(_ wanted: String, _ size: FrameSize) -> DeviceError {
        let lines = timing.blankingLines
        return DeviceError(
            .unsupported,
            "camera \(id) can't have \(wanted) at \(size): its driver takes \(timing.rangeText)"
                + " (\(timing.control.name) \(lines.minimum) to \(lines.maximum)); choose a rate in"
                + " that range")
    }
}
