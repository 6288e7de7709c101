import Devices
import Notation
import Recipes
import Testing

/// Requests that a camera can't fulfil: refused before any frame, with the range and where it comes from.
@Suite("Refusals")
struct RefusalRowsTests {
    /// A request, and what a person is told about it.
    struct Case: Sendable, CustomTestStringConvertible {
        let camera: String
        let subject: String
        let request: String
        let format: String
        /// What names the limit.
        let says: String
        /// Whether the camera can't do such a thing at all.
        let isUnsupported: Bool
        var testDescription: String { "\(camera) \(subject): {\(request)}" }

        func lock(_ addition: String = "") -> String {
            request == "current" ? "\(subject): current" : "\(subject): {\(request)\(addition)}"
        }
    }

    private static let formats = [
        "simulated": "pixels: GREY, size: 640x480", "generic-uvc": "pixels: GREY, size: 640x480",
        "bench-usb": "pixels: GREY, size: 640x480", "vivid": "pixels: YUYV, size: 640x480",
        "vimc": "pixels: SRGGB8, size: 640x480", "imx477": "pixels: SRGGB12P, size: 2028x1520",
        "imx219": "pixels: SRGGB10P, size: 3280x2464", "imx296": "pixels: Y10, size: 1456x1088",
        "imx290": "pixels: SRGGB12, size: 1920x1080", "imx708": "pixels: SRGGB10P, size: 4608x2592",
        "ov5647": "pixels: SBGGR10, size: 1296x972", "ov9281": "pixels: GREY, size: 1280x800",
        "ov7251": "pixels: Y10, size: 640x480", "ov5640": "pixels: YUYV, size: 640x480",
        "attached": "pixels: GREY, size: 640x480",
    ]

    private static func outside(
        _ camera: String, _ subject: String, _ request: String, rate: String? = nil, _ says: String
    ) -> Case {
        let format = (formats[camera] ?? "") + (rate.map { ", rate: \($0)" } ?? "")
        return Case(
            camera: camera, subject: subject, request: request, format: format, says: says,
            isUnsupported: false)
    }

    private static func unsupported(
        _ camera: String, _ subject: String, _ request: String, _ says: String
    ) -> Case {
        Case(
            camera: camera, subject: subject, request: request, format: formats[camera] ?? "",
            says: says, isUnsupported: true)
    }

    private static let usb: [Case] = [
        outside("simulated", "exposure", "duration: 10 us", "outside 20 us to 2 s"),
        outside("simulated", "exposure", "duration: 3 s", "outside 20 us to 2 s"),
        outside("simulated", "exposure", "gain: 0.5x", "outside 1x to 16x"),
        outside("simulated", "exposure", "iso: 3200", "outside 1x to 16x"),
        outside("simulated", "white_balance", "temperature: 2000 K", "outside 2800 K to 6500 K"),
        outside("simulated", "white_balance", "red: 5, blue: 1", "outside 0.25x to 4x"),
        unsupported(
            "simulated", "white_balance", "temperature: 5000 K, tint: 10", "none for tint"),
        outside("generic-uvc", "exposure", "duration: 20 us", "outside 100 us to 1 s"),
        outside("generic-uvc", "exposure", "duration: 2 s", "outside 100 us to 1 s"),
        unsupported("generic-uvc", "exposure", "gain: 2x", "no gain that can be set"),
        unsupported("generic-uvc", "exposure", "iso: 200", "no gain that can be set"),
        unsupported(
            "generic-uvc", "white_balance", "red: 2, blue: 1.5", "no control that takes gains"),
        unsupported(
            "generic-uvc", "white_balance", "temperature: 5000 K, tint: -4", "none for tint"),
        outside("generic-uvc", "white_balance", "temperature: 9000 K", "outside 2800 K to 6500 K"),
        outside("bench-usb", "exposure", "duration: 50 us", "outside 100 us to 500 ms"),
        outside("bench-usb", "exposure", "duration: 600 ms", "outside 100 us to 500 ms"),
        outside("bench-usb", "exposure", "gain: 0.9x", "outside 1x to 15.9375x"),
        outside("bench-usb", "exposure", "gain: 20x", "outside 1x to 15.9375x"),
        outside(
            "bench-usb", "white_balance", "red: 10, green: 10, blue: 1",
            "outside 0.25x to 3.999023x"),
        unsupported(
            "generic-uvc", "white_balance", "x: 0.3457, y: 0.3585", "none for tint"),
        outside("bench-usb", "white_balance", "temperature: 2000 K", "outside 2800 K to 6500 K"),
        outside("attached", "exposure", "duration: 500 ms", "outside 300 us to 204.7 ms"),
        outside("attached", "white_balance", "temperature: 3000 K", "outside 4000 K to 6500 K"),
        unsupported("attached", "focus", "lens: 0.5", "no lens that can be set"),
    ]

    private static let virtual: [Case] = ["vivid", "vimc"].flatMap { camera in
        [
            unsupported(camera, "exposure", "duration: 8 ms", "no exposure that can be set"),
            unsupported(camera, "exposure", "duration: current", "no exposure that can be set"),
            unsupported(camera, "exposure", "gain: 2x", "no gain that can be set"),
            unsupported(camera, "focus", "lens: 0.4", "no lens that can be set"),
            unsupported(camera, "focus", "lens: current", "no lens that can be set"),
            unsupported(
                camera, "white_balance", "temperature: 5000 K", "no white balance that can be set"),
        ]
    }

    private static let reciprocal: [Case] = [
        outside("imx477", "exposure", "duration: 10 us", "outside 60.667 us to 127.114"),
        outside("imx477", "exposure", "duration: 200 s", "outside 60.667 us to 127.114"),
        outside(
            "imx477", "exposure", "duration: 40 ms", rate: "30 fps",
            "outside 60.667 us to 33.002667 ms"),
        outside(
            "imx477", "exposure", "duration: 1 ms", rate: "60 fps",
            "60 fps is outside 0.008 fps to 40.009 fps"),
        outside("imx477", "exposure", "gain: 0.5x", "outside 1x to 22.26087x"),
        outside("imx477", "exposure", "gain: 30x", "outside 1x to 22.26087x"),
        outside("imx477", "exposure", "iso: 5000", "outside 1x to 22.26087x"),
        unsupported("imx477", "focus", "lens: 0.5", "no lens that can be set"),
        outside("imx477", "white_balance", "temperature: 2000 K", "outside 2850 K to 7600 K"),
        outside("imx477", "white_balance", "red: 0.5, blue: 1", "outside 1x to 8x"),
        outside("imx477", "white_balance", "red: 9, blue: 1", "outside 1x to 8x"),
        outside("imx219", "exposure", "gain: 11x", "outside 1x to 10.666667x"),
        outside("imx219", "exposure", "duration: 50 us", "outside 75.614 us to 1.238"),
        outside(
            "imx219", "exposure", "duration: 1 ms", rate: "30 fps", "fps to 21.194 fps"),
        outside("imx708", "exposure", "gain: 1x", "outside 1.122807x to 16x"),
        outside("imx708", "exposure", "gain: 16.5x", "outside 1.122807x to 16x"),
    ]

    private static let others: [Case] = [
        outside("imx296", "exposure", "gain: 16x", "outside 1x to 15.667511x"),
        outside("imx296", "exposure", "duration: 20 us", "outside 29.075 us to 15.534"),
        unsupported("imx296", "focus", "lens: 0.5", "no lens that can be set"),
        outside("imx290", "exposure", "gain: 0.9x", "outside 1x to 31.622777x"),
        unsupported(
            "imx290", "white_balance", "temperature: 5000 K", "no control that takes a temperature"),
        unsupported("imx290", "white_balance", "current", "there is no current one"),
        outside("ov5647", "exposure", "gain: 64x", "outside 1x to 63.9375x"),
        outside("ov9281", "exposure", "gain: 16x", "outside 1x to 15.9375x"),
        unsupported(
            "ov9281", "white_balance", "red: 2, blue: 2", "no white balance that can be set"),
        outside("ov7251", "exposure", "duration: 2 s", "outside 19.333 us to 1.26662"),
        unsupported("ov5640", "exposure", "duration: 8 ms", "no exposure that can be set"),
        unsupported("ov5640", "focus", "lens: 1", "no lens that can be set"),
    ]

    static let all = usb + virtual + reciprocal + others

    /// A profile; `attached` is the generic one, compared with a camera that says less.
    private static func profile(_ camera: String) throws -> CameraProfile {
        guard camera == "attached" else { return try ProjectProfiles.named(camera) }
        func describe(_ name: String, _ minimum: Int64, _ maximum: Int64) throws
            -> ControlDescription
        {
            ControlDescription(
                control: try #require(CameraControl(name: name)), label: name, minimum: minimum,
                maximum: maximum, step: 1, defaultCode: minimum, code: nil)
        }
        return try ProjectProfiles.named("generic-uvc").narrowed(
            to: CameraDescription(
                identity: CameraIdentity(
                    id: "usb:42", name: "a camera", driver: "uvcvideo", bus: "", backend: "v4l2",
                    path: ""),
                formats: [],
                controls: [
                    try describe("exposure_time_absolute", 3, 2_047),
                    try describe("white_balance_temperature", 4_000, 9_000),
                ]))
    }

    private static func origin(_ camera: String) -> String {
        switch camera {
        case "attached": "camera usb:42 itself"
        case "simulated": "camera profile `simulated`"
        default: "camera profile `\(camera)` (hardware/cameras/\(camera).yaml)"
        }
    }

    @Test(
        "E2 F1 W2 a request that can't be fulfilled is an error that names the range and its origin",
        arguments: all)
    func refused(request: Case) throws {
        let text = ProjectProfiles.recipe(format: request.format, lock: request.lock())
        let refusals = ProjectProfiles.refusals(text, for: try Self.profile(request.camera))
        let refusal = try #require(refusals.first, "\(request.testDescription) is accepted")
        #expect(refusals.count == 1)
        #expect(refusal.severity == .error)
        #expect(refusal.message.contains(request.says), "\(refusal.message)")
        #expect(refusal.message.contains(Self.origin(request.camera)), "\(refusal.message)")
        #expect(refusal.hint != nil)
        // The place in the recipe, not just the recipe.
        #expect(refusal.range.start.line == (refusal.id == "rate-out-of-range" ? 5 : 6))
    }

    @Test(
        "F1 E1 W1 with `if_supported` what the camera can't do is skipped, with a warning and a record",
        arguments: all.filter { $0.isUnsupported && $0.request != "current" })
    func skipped(request: Case) throws {
        let text = ProjectProfiles.recipe(
            format: request.format, lock: request.lock(", if_supported: true"))
        let profile = try Self.profile(request.camera)
        let (plan, warnings) = try ProjectProfiles.compile(text, for: profile)
        #expect(plan.skipped.count == 1)
        #expect(warnings.map(\.id) == ["setting-skipped"])
        #expect(warnings.allSatisfy { $0.severity == .warning })
        #expect(warnings.first?.message.contains(request.says) == true)
        #expect(plan.json["skipped"]?.arrayValue?.count == 1)
        let requested = plan.settings[0].requested
        #expect(requested.lens == .free)
        #expect(requested.whiteBalance == .free)
        #expect(requested.exposure == .free && requested.gain == .free)
    }

    @Test(
        "E2 `if_supported` never excuses a value out of range",
        arguments: all.filter { !$0.isUnsupported })
    func neverClamped(request: Case) throws {
        let text = ProjectProfiles.recipe(
            format: request.format, lock: request.lock(", if_supported: true"))
        let refusals = ProjectProfiles.refusals(text, for: try Self.profile(request.camera))
        #expect(refusals.count == 1)
        #expect(refusals.first?.message.contains(request.says) == true)
    }

    @Test("E2 there are more than forty such requests, over every kind of camera")
    func count() throws {
        #expect(Self.all.count > 60)
        let cameras = Set(Self.all.map(\.camera))
        #expect(cameras.count == Self.formats.count)
    }

    @Test(
        "F1 a step asks for what the lock wanted only if it is supported: then it is no wish any more"
    )
    func sweep() throws {
        let text = ProjectProfiles.recipe(
            format: "pixels: YUYV, size: 640x480",
            lock: "focus: {lens: 0.4, if_supported: true}",
            sequence: "- bracket: {lens: [0.1, 0.2]}")
        let refusals = ProjectProfiles.refusals(text, for: try ProjectProfiles.named("vivid"))
        // The lock, to which the bracket returns, is skipped; its shots are asked for without such a condition.
        #expect(
            refusals.map(\.id) == ["setting-skipped", "setting-unsupported", "setting-unsupported"])
        #expect(refusals.map(\.severity) == [.warning, .error, .error])
    }
}
