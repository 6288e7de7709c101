public import Devices
internal import Imaging
internal import Timebase

extension CameraProfile {
    /// The simulated camera: a linear sensor behind a global shutter, black level subtracted in the camera.
    ///
    /// Exposure in microseconds, 20 µs to 2 s; gain in 64ths, 1 to 16; lens codes from 1000 (near) to 0 (far).
    public static let simulated: CameraProfile = {
        var profile = CameraProfile(
            name: "simulated", summary: "the simulated camera that comes with framelock",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero))
        profile.driver = "simulated"
        profile.formats = simulatedFormats
        profile.shutter = .global
        profile.startupFrames = 1
        profile.trigger = TriggerModel(
            exposure: .timed, shortestDelay: SimulatedTriggeredSensor.delay.shortest,
            longestDelay: SimulatedTriggeredSensor.delay.longest, delayOrigin: .exact,
            deadTime: TriggerModel.DeadTime(
                shortest: SimulatedTriggeredSensor.deadTime,
                longest: SimulatedTriggeredSensor.deadTime, from: .exposure))
        profile.exposure = ExposureModel(
            control: SimulatedControls.exposure, unitPicoseconds: 1_000_000,
            codes: CodeRange(20, 2_000_000), latencyFrames: 2, latencyOrigin: .exact)
        profile.gain = GainModel(
            control: SimulatedControls.gain, law: .linear(unity: 64), codes: CodeRange(64, 1024),
            isoAtUnity: 100, latencyFrames: 1)
        profile.focus = FocusModel(
            control: SimulatedControls.focus, nearCode: 1_000, farCode: 0, latencyFrames: 1,
            settle: .zero)
        profile.whiteBalance = WhiteBalanceModel(
            components: .init(
                red: SimulatedControls.red, blue: SimulatedControls.blue, unity: 1024,
                codes: CodeRange(256, 4096)),
            temperature: .init(
                control: SimulatedControls.temperature, codes: CodeRange(2_800, 6_500, step: 10)),
            latencyFrames: 1, latencyOrigin: .exact)
        profile.gain?.latencyOrigin = .exact
        profile.focus?.latencyOrigin = .exact
        profile.automaticsOff = [
            ControlValue(SimulatedControls.exposureAutomatic, 1),
            ControlValue(SimulatedControls.focusAutomatic, 0),
            ControlValue(SimulatedControls.balanceAutomatic, 0),
        ]
        profile.provenance = "exact: the simulation is built to these figures"
        return profile
    }()

    /// The same camera with a sensor that sends its registers along with each frame, as raw sensors do.
    public static let simulatedWithMetadata: CameraProfile = {
        var profile = simulated
        profile.name = "simulated-metadata"
        profile.embeddedData = .smia
        return profile
    }()

    /// Four pixel formats in four sizes, at nine rates each.
    private static let simulatedFormats: [CameraFormat] = {
        let rates = [120, 60, 30, 25, 15, 10, 5, 2, 1].compactMap { FrameRate(frames: $0) }
        let sizes = [(1456, 1088), (1920, 1080), (640, 480), (320, 240)]
            .compactMap { FrameSize(width: $0.0, height: $0.1) }
        return ["SRGGB12", "Y12", "GREY", "YUYV"].compactMap { PixelFormat.named($0) }
            .flatMap { pixels in
                sizes.map { size in
                    CameraFormat(
                        fourCC: pixels.fourCCText, pixelFormat: pixels, size: size, rates: rates)
                }
            }
    }()
}

/// The V4L2 controls that the simulated camera has.
///
/// Ids are those of `linux/v4l2-controls.h`, which `uvcvideo` uses as well.
enum SimulatedControls {
    /// `V4L2_CID_EXPOSURE_ABSOLUTE`; here in microseconds, where V4L2 counts in 100 µs.
    static let exposure = CameraControl(rawValue: 0x009a_0902)
    /// `V4L2_CID_GAIN`; 64 is unity.
    static let gain = CameraControl(rawValue: 0x0098_0913)
    static let focus = CameraControl(rawValue: 0x009a_090a)
    /// `V4L2_CID_RED_BALANCE`; 1024 is unity, as for blue.
    static let red = CameraControl(rawValue: 0x0098_090e)
    static let blue = CameraControl(rawValue: 0x0098_090f)
    static let temperature = CameraControl(rawValue: 0x0098_091a)
    /// `V4L2_CID_EXPOSURE_AUTO`; 1 is manual, everything else automatic.
    static let exposureAutomatic = CameraControl(rawValue: 0x009a_0901)
    /// `V4L2_CID_FOCUS_AUTO`; 0 is manual, as for the white balance.
    static let focusAutomatic = CameraControl(rawValue: 0x009a_090c)
    static let balanceAutomatic = CameraControl(rawValue: 0x0098_090c)
}
