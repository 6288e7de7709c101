internal import CVideo
internal import Devices
internal import Imaging
internal import Timebase

extension VideoDevice {
    /// Sets the frame rate where one is asked, and reads what the driver promises.
    ///
    /// VIDIOC_S_PARM, so for cameras that are one device, as USB cameras are; receivers of raw sensors know no rate,
    /// see ``SensorFrameLength``. The driver takes the nearest interval that it has, so what it promises is compared.
    ///
    /// - Parameters:
    ///   - wanted: the rate; nil leaves it to the camera.
    ///   - format: the format that is set, for the message.
    /// - Returns: the promised rate; nil if the driver promises none.
    /// - Throws: ``DeviceError`` if the driver has no rates, or sets another one.
    func setRate(_ wanted: FrameRate?, for format: CameraFormat) throws(DeviceError) -> FrameRate? {
        var request = v4l2_streamparm()
        request.type = bufferType
        let canTell = fl_g_parm(descriptor, &request) >= 0
        let isSettable =
            canTell && request.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
        guard let wanted else {
            return canTell ? FrameRate(interval: request.parm.capture.timeperframe) : nil
        }
        if isSettable {
            let interval = v4l2_fract(
                numerator: UInt32(wanted.seconds), denominator: UInt32(wanted.frames))
            request = v4l2_streamparm()
            request.type = bufferType
            request.parm.capture.timeperframe = interval
            let result = fl_s_parm(descriptor, &request)
            guard result >= 0 else { throw failure(result, "set the frame rate \(wanted)") }
        }
        guard canTell, let promised = FrameRate(interval: request.parm.capture.timeperframe) else {
            throw DeviceError(
                .unsupported,
                "\(subject) has no settable frame rate; leave `rate` out")
        }
        guard wanted.isKept(by: promised) else {
            throw DeviceError(.unsupported, refusal(wanted, promised, format))
        }
        return promised
    }

    /// The message for a rate that the driver changed, with those that it offers for the format.
    private func refusal(_ wanted: FrameRate, _ promised: FrameRate, _ format: CameraFormat)
        -> String
    {
        let offered = listFormats().first {
            $0.fourCC == format.fourCC && $0.size == format.size
        }
        let rates = (offered?.rates ?? []).prefix(12).map(\.description)
        let list = rates.isEmpty ? "" : "; it offers \(rates.joined(separator: ", "))"
        return "\(subject) does not deliver \(format.fourCC) \(format.size) at "
            + "\(wanted), but at \(promised)\(list)"
    }
}

extension FrameRate {
    /// Whether a promised rate is this one: the frame periods differ by no more than 100 ns, the grain in which USB
    /// cameras count frame periods (UVC 1.5, dwFrameInterval).
    func isKept(by promised: FrameRate) -> Bool {
        let difference = promised.period - period
        return difference.nanoseconds.magnitude <= 100
    }
}
