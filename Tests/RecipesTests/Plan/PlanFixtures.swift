import Devices
import Imaging
import Notation
import Recipes
import Timebase

/// Recipes, a camera and a rig for tests of the compiler.
enum PlanFixtures {
    /// A camera with every control: exposure in µs, gain in 64ths, a lens of 1001 codes, both kinds of white balance.
    static let camera: CameraProfile = {
        var profile = CameraProfile(
            name: "test",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero))
        profile.formats = formats([
            ("SRGGB12", 1456, 1088), ("SRGGB12", 640, 480), ("Y12", 640, 480),
        ])
        profile.exposure = ExposureModel(
            control: control("exposure_time_absolute"), unitPicoseconds: 1_000_000,
            codes: CodeRange(20, 2_000_000), latencyFrames: 2)
        profile.gain = GainModel(
            control: control("gain"), law: .linear(unity: 64), codes: CodeRange(64, 1024),
            isoAtUnity: 100, latencyFrames: 1)
        profile.focus = FocusModel(
            control: control("focus_absolute"), nearCode: 1_000, farCode: 0, latencyFrames: 1,
            settle: .milliseconds(50))
        profile.whiteBalance = WhiteBalanceModel(
            components: .init(
                red: control("red_balance"), blue: control("blue_balance"), unity: 1024,
                codes: CodeRange(256, 4096)),
            temperature: .init(
                control: control("white_balance_temperature"),
                codes: CodeRange(2_800, 6_500, step: 10)),
            latencyFrames: 1)
        profile.trigger = TriggerModel(
            exposure: .timed, shortestDelay: .microseconds(10), longestDelay: .microseconds(30))
        return profile
    }()

    /// A camera of which only pictures are known.
    static let bare: CameraProfile = {
        var profile = CameraProfile(
            name: "bare",
            timestamps: TimestampModel(point: .endOfReadout, delay: .zero, readout: nil))
        profile.formats = camera.formats
        return profile
    }()

    /// A camera that takes white balance as a temperature alone.
    static let onlyTemperature: CameraProfile = {
        var profile = camera
        profile.name = "kelvin"
        profile.whiteBalance?.components = nil
        return profile
    }()

    static let rig = """
        framelock_rig: 1
        name: bench
        cameras:
          inspection: {id: "usb:0001", profile: test, input: Camera 1}
          overview: {id: simulated}
        lines:
          part_present: {chip: gpio, line: GPIO17, direction: in, edge: rising, bias: pull_down}
          strobe: {chip: gpio, line: GPIO27, direction: out}
          reject: {chip: gpio, line: 5, direction: out, active_low: true}
        """

    /// A recipe around a sequence.
    static func recipe(
        _ sequence: String, use: String = "simulated",
        format: String = "pixels: SRGGB12, size: 640x480, rate: 30 fps", camera: String = "",
        lock: String = "exposure: {duration: 8 ms, gain: 1x}", lines: String = ""
    ) -> String {
        var text = "framelock: 1\nname: test\ncamera:\n  use: \(use)\n  format: {\(format)}\n"
        if !camera.isEmpty { text += "  \(camera)\n" }
        if !lock.isEmpty { text += "lock: {\(lock)}\n" }
        if !lines.isEmpty { text += "lines: \(lines)\n" }
        return text + "sequence:\n" + sequence + "\n"
    }

    /// Compiles a recipe.
    ///
    /// - Throws: what is wrong with it.
    static func compile(
        _ text: String, profile: CameraProfile = camera, rig rigText: String? = nil
    ) throws(DiagnosticList) -> Plan {
        try compiled(text, profile: profile, rig: rigText).plan
    }

    /// What is warned of in a recipe that can be compiled.
    static func warnings(
        _ text: String, profile: CameraProfile = camera
    ) throws(DiagnosticList) -> [Diagnostic] {
        try compiled(text, profile: profile, rig: nil).warnings
    }

    private static func compiled(
        _ text: String, profile: CameraProfile, rig rigText: String?
    ) throws(DiagnosticList) -> (plan: Plan, warnings: [Diagnostic]) {
        let source = SourceFile(name: "recipe.yaml", text: text)
        var rig: Rig?
        if let rigText {
            rig = try RigDecoder.decode(SourceFile(name: "rig.yaml", text: rigText))
        }
        let recipe = try RecipeDecoder.decode(source)
        let choice = try CameraChoice(recipe.camera, rig: rig, in: source.name)
        let (plan, warnings) = try PlanCompiler.compile(
            recipe, camera: choice, profile: profile, rig: rig)
        // Whatever a test is about.
        RoundTrip.check(plan, of: recipe)
        return (plan, warnings)
    }

    /// What a person is told about a recipe; "compiled" where that is nothing.
    static func complaint(
        _ text: String, profile: CameraProfile = camera, rig: String? = nil
    ) -> String {
        do throws(DiagnosticList) {
            _ = try compile(text, profile: profile, rig: rig)
            return "compiled"
        } catch {
            let source = SourceFile(name: "recipe.yaml", text: text)
            return DiagnosticRenderer(sources: [source]).render(error)
        }
    }

    /// The control of the camera's gain.
    static let gainControl = control("gain")

    private static func control(_ name: String) -> CameraControl {
        CameraControl(name: name) ?? CameraControl(rawValue: 0)
    }

    private static func formats(_ list: [(String, Int, Int)]) -> [CameraFormat] {
        list.compactMap { name, width, height in
            FrameSize(width: width, height: height).map { size in
                CameraFormat(
                    fourCC: name, pixelFormat: PixelFormat.named(name), size: size,
                    rates: [60, 30, 10].compactMap { FrameRate(frames: $0) })
            }
        }
    }
}

extension Plan {
    /// The program as text: one instruction a line, steps by their paths, lines by their names.
    var listing: String {
        var level = 0
        return program.map { instruction in
            if case .endLoop = instruction { level -= 1 }
            let line = String(repeating: "  ", count: level) + listing(instruction)
            if case .loop = instruction { level += 1 }
            return line
        }.joined(separator: "\n")
    }

    private func listing(_ instruction: Instruction) -> String {
        switch instruction {
        case .capture(let count, let settings, let lights, let step):
            let lit = lines.indices.filter { lights & 1 << UInt32($0) != 0 }.map { lines[$0].name }
            let light = lit.isEmpty ? "" : " lit by \(lit.joined(separator: " "))"
            return "capture \(count) with \(settings)\(light) @\(steps[Int(step)])"
        case .pulse(let line, let duration, let step):
            return "pulse \(lines[Int(line)].name) \(duration) @\(steps[Int(step)])"
        case .wait(let duration, let step): return "wait \(duration) @\(steps[Int(step)])"
        case .waitForEdge(let line, let within, let step):
            return "edge \(lines[Int(line)].name) within \(within) @\(steps[Int(step)])"
        case .loop(let count, let every, let end, let step):
            return "loop \(count) every \(every) to \(end) @\(steps[Int(step)])"
        case .endLoop(let start): return "end of \(start)"
        case .group(let slots, let retries, let step):
            return "group of \(slots), \(retries) retries @\(steps[Int(step)])"
        case .restore(let settings, let step):
            return "restore \(settings) @\(steps[Int(step)])"
        }
    }

    /// The settings as text: one set a line, with its codes.
    var settingsListing: String {
        settings.map { planned in
            let codes = planned.codes.map { "\($0.control.name)=\($0.code)" }
            return codes.joined(separator: " ") + " +\(planned.latencyFrames)"
        }.joined(separator: "\n")
    }
}
