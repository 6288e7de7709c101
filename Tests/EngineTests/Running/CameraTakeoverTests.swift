import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// How a camera is taken over from its automatics.
@Suite("Hand-over") struct CameraTakeoverTests {
    let camera = FlaggedCamera()
    var plan: Plan

    static let exposure = SamplePlan.control

    init() throws {
        camera.add("auto_exposure", 3)
        camera.add("exposure_time_absolute", 156)
        camera.add("exposure_dynamic_framerate", 1)
        camera.add("sharpness", 6)
        camera.add("vertical_blanking", 44)
        camera.freedBy[Self.exposure] = ControlValue(try Self.control("auto_exposure"), 1)
        var sample = SamplePlan([.capture(1), .capture(1, settings: 1)])
        sample.settingsCount = 2
        plan = try sample.plan()
        plan.camera.profile.automaticsOff = [
            ControlValue(try Self.control("auto_exposure"), 1),
            ControlValue(try Self.control("exposure_dynamic_framerate"), 0),
            // The camera has none.
            ControlValue(try Self.control("gain_automatic"), 0),
        ]
        plan.camera.profile.pinned = [
            ControlValue(try Self.control("sharpness"), 3),
            ControlValue(try Self.control("contrast"), 32),
        ]
    }

    static func control(_ name: String) throws -> CameraControl {
        try #require(CameraControl(name: name))
    }

    var takeover: CameraTakeover {
        CameraTakeover(
            plan: plan, camera: camera, writer: SettingsWriter(plan: plan, camera: camera))
    }

    func perform() throws -> [RunEvent] {
        var events: [RunEvent] = []
        _ = try takeover.perform { events.append($0) }
        return events
    }

    func refusal() throws -> DeviceError {
        try #require(throws: DeviceError.self) { _ = try perform() }
    }

    @Test("masters go first, each alone, then values, then everything that is pinned") func order()
        throws
    {
        _ = try perform()
        #expect(
            camera.journal == [
                "auto_exposure=1", "exposure_dynamic_framerate=0", "exposure_time_absolute=4000",
                "sharpness=3",
            ])
    }

    @Test("an automatic that drives what is pinned is switched off, though no settings need it")
    mutating func pinnedAutomatic() throws {
        let (automatic, red) = try (
            Self.control("white_balance_automatic"), Self.control("red_balance")
        )
        #expect(red.automatic == automatic)
        camera.add("white_balance_automatic", 1)
        camera.add("red_balance", 100)
        camera.freedBy[red] = ControlValue(automatic, 0)
        plan.camera.profile.automaticsOff.append(ControlValue(automatic, 0))
        _ = try perform()
        #expect(!camera.journal.contains("white_balance_automatic=0"), "nothing is pinned yet")
        plan.camera.profile.pinned.append(ControlValue(red, 128))
        _ = try perform()
        #expect(camera.journal.contains("white_balance_automatic=0"))
        #expect(camera.journal.last == "red_balance=128")
    }

    @Test("blanking goes before what it bounds") mutating func blanking() throws {
        plan.settings[0].codes.append(ControlValue(try Self.control("vertical_blanking"), 678))
        _ = try perform()
        #expect(camera.journal[2...3] == ["vertical_blanking=678", "exposure_time_absolute=4000"])
    }

    @Test("the first lens position is approached as well, with a rest before the last move")
    mutating func approach() throws {
        let focus = SamplePlan.focus
        camera.add("focus_absolute", 100)
        plan.camera.profile.focus = FocusModel(
            control: focus, nearCode: 0, farCode: 1_000, latencyFrames: 1, settle: .milliseconds(80)
        )
        plan.settings[0].codes.append(ControlValue(focus, 700))
        plan.settings[0].lensApproach = ControlValue(focus, 750)
        var rests: [(Interval, [String])] = []
        var events: [RunEvent] = []
        var takeover = takeover
        let camera = camera
        takeover.rest = { rests.append(($0, camera.journal)) }
        _ = try takeover.perform { events.append($0) }
        let place = try #require(camera.journal.firstIndex(of: "focus_absolute=750"))
        #expect(camera.journal.suffix(from: place).contains("focus_absolute=700"))
        #expect(rests.map(\.0) == [.milliseconds(80)])
        #expect(rests.first?.1.last == "focus_absolute=750")
        #expect(
            events.contains(.lensApproach(settings: 0, control: focus, asked: 750, found: 750)))
        #expect(events.contains(.readBack(settings: 0, control: focus, asked: 700, found: 700)))
    }

    @Test("what the camera makes of a pinned control is read back, and judged")
    func pinnedReadBack() throws {
        camera.stuck[try Self.control("sharpness")] = 5
        let events = try perform()
        #expect(
            events.contains(
                .readBack(settings: 0, control: try Self.control("sharpness"), asked: 3, found: 5)))
    }

    @Test("a value that an automatic still drives is refused, naming the automatic")
    mutating func inactive() throws {
        plan.camera.profile.automaticsOff = []
        let error = try refusal()
        #expect(error.kind == .refused)
        #expect(error.message.contains("camera flagged can't lock exposure_time_absolute at 4000"))
        #expect(error.message.contains("inactive while auto_exposure = 3 drives it"))
        #expect(error.message.contains("automatics_off"))
        #expect(camera.journal.isEmpty, "nothing was written that would be forgotten")
    }

    @Test("a pinned control that an automatic drives is refused as well") func inactivePin() throws
    {
        let sharpness = try Self.control("sharpness")
        camera.freedBy[sharpness] = ControlValue(try Self.control("vertical_blanking"), 0)
        let error = try refusal()
        #expect(error.message.contains("can't lock sharpness at 3: it is inactive"))
    }

    @Test("a pinned value that the camera does not take is refused, with the range")
    mutating func outOfRange() throws {
        plan.camera.profile.pinned[0].code = 10_001
        let error = try refusal()
        #expect(error.kind == .unsupported)
        #expect(error.message.contains("can't lock sharpness at 10001: it takes -10000 to 10000"))
    }

    @Test("a read-only control can't be locked") func readOnly() throws {
        camera.descriptions[1].isReadOnly = true
        #expect(try refusal().kind == .unsupported)
        #expect(
            try refusal().message.contains(
                "exposure_time_absolute at 4000: the control is read-only"))
    }

    @Test("a control that somebody holds can't be locked, unless it has the value") func grabbed()
        throws
    {
        camera.descriptions[1].isGrabbed = true
        #expect(try refusal().kind == .busy)
        camera.descriptions[1].isGrabbed = false
        camera.descriptions[3].isGrabbed = true
        camera.descriptions[3].code = 3
        _ = try perform()
        #expect(!camera.journal.contains("sharpness=3"))
    }

    @Test("a control that the camera does not have is named") func missing() throws {
        camera.descriptions.remove(at: 1)
        let error = try refusal()
        #expect(error.kind == .unsupported)
        #expect(error.message.contains("camera flagged has no control exposure_time_absolute"))
        #expect(error.message.contains("profile `story`"))
    }

    @Test("a camera whose privacy switch is on is not run") func privacy() throws {
        camera.add("privacy", 1)
        let error = try refusal()
        #expect(error.message.contains("camera flagged is covered"))
        #expect(error.message.contains("privacy = 1"))
        #expect(camera.journal.isEmpty)
        camera.descriptions[camera.descriptions.count - 1].code = 0
        _ = try perform()
    }

    @Test("D5 everything that would change pixels is watched") func watched() throws {
        _ = try perform()
        let names = Set(camera.watched.map(\.name))
        #expect(
            names == [
                "exposure_time_absolute", "auto_exposure", "exposure_dynamic_framerate",
                "gain_automatic", "sharpness", "contrast", "privacy",
            ])
    }

    @Test("a flip is set before the format, and not again") mutating func layout() throws {
        let flip = try Self.control("horizontal_flip")
        camera.add("horizontal_flip", 0) { $0.changesLayout = true }
        plan.camera.profile.pinned.append(ControlValue(flip, 1))
        let prepared = try PreparedRun(plan, in: FlaggedWorld(camera))
        #expect(prepared.accepted.bufferCount == 4)
        #expect(camera.journal.prefix(2) == ["horizontal_flip=1", "configure"])
    }

    @Test("a camera that forgets at stream start gets everything once more") func forgetful() throws
    {
        var events: [RunEvent] = []
        let first = try takeover.perform { events.append($0) }
        camera.forgotten = [
            ControlValue(Self.exposure, 156), ControlValue(try Self.control("auto_exposure"), 3),
            ControlValue(try Self.control("sharpness"), 6),
        ]
        try camera.start()
        events = []
        let again = try takeover.repeatAfterStart(first) { events.append($0) }
        let start = try #require(camera.journal.firstIndex(of: "start"))
        #expect(camera.journal[(start + 1)...] == camera.journal[..<start])
        #expect(again.exposure == .milliseconds(4))
        #expect(
            events.contains(
                .readBack(settings: 0, control: Self.exposure, asked: 4_000, found: 4_000)))
    }
}

/// A world that is prepared and never run.
private final class FlaggedWorld: World {
    let camera: any CameraDriver
    let lines: any LineDriver = TestLines(time: TestTime())
    let isVirtual = true
    let stopRequests = 0

    init(_ camera: FlaggedCamera) { self.camera = camera }

    func now() -> Instant<Monotonic> { Instant(nanoseconds: 1) }
    func realtime() -> ClockRelation<Monotonic, Realtime> {
        ClockRelation(offset: .zero, halfWidth: .zero)
    }
    func wait(until deadline: Instant<Monotonic>) {}
    func sleep(until time: Instant<Monotonic>) {}
}
