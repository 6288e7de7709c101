import Devices
import Recipes
import Testing
import Timebase

@testable import Records

/// Which writes no frame shows, by what the log says of them.
struct HiddenWritesTests {
    private let exposure: CameraControl
    private var writes: HiddenWrites

    init() throws {
        exposure = try #require(CameraControl(name: "exposure_time_absolute"))
        writes = HiddenWrites(try Sample.plan().camera.profile)
    }

    private mutating func hidden(
        before slot: Int64, _ settings: Int32 = -1, of group: ControlGroup = .exposure,
        isHole: Bool = false
    ) -> [Int32] {
        writes.take(group, before: slot, isHole: isHole) { $0 == settings }.hidden
    }

    private mutating func write(_ settings: Int32, for slot: Int64?) {
        writes.note(
            .settingsWritten(settings: settings, slot: slot, begun: Sample.epoch, errno: 0))
        writes.note(.readBack(settings: settings, control: exposure, asked: 1, found: 1))
    }

    @Test mutating func `settings that are written for the next frame are hidden by nothing`() {
        for slot: Int64 in 0...2 { write(Int32(slot), for: slot) }
        for slot: Int64 in 0...2 { #expect(hidden(before: slot).isEmpty) }
    }

    @Test mutating func `what a bracket puts back before the next one is hidden`() {
        write(1, for: 0)
        write(0, for: nil)
        write(2, for: 1)
        #expect(hidden(before: 0).isEmpty)
        #expect(hidden(before: 1) == [0])
        #expect(hidden(before: 1, of: .gain).isEmpty)
    }

    @Test mutating func `the settings of a hole are hidden if they were written`() {
        write(1, for: 0)
        write(2, for: 2)
        #expect(hidden(before: 0, isHole: true) == [1])
        #expect(hidden(before: 1, isHole: true).isEmpty)
        #expect(hidden(before: 2).isEmpty)
    }

    @Test mutating func `a group that is taken again has none of its first writes`() {
        write(1, for: 0)
        write(2, for: 1)
        write(1, for: 0)
        #expect(hidden(before: 0) == [1, 2])
    }

    @Test mutating func `and its last ones where nothing had to be written anew`() {
        write(1, for: 0)
        write(2, for: 1)
        write(0, for: nil)
        write(1, for: 0)
        #expect(hidden(before: 0) == [1, 2, 0])
    }

    @Test(arguments: [
        RunEvent.groupRepeated(step: 0, slot: 0, attempt: 1),
        .slotRetaken(slot: 0, sequence: 7, reason: .droppedByDriver),
    ])
    mutating func `what was written ahead is hidden where that is what a slot begins anew with`(
        _ event: RunEvent
    ) {
        write(1, for: 0)
        write(2, for: 1)
        write(1, for: 2)
        writes.note(event)
        write(2, for: 1)
        #expect(hidden(before: 0, 1) == [1, 2])
        #expect(hidden(before: 1, 2).isEmpty)
    }

    @Test mutating func `also where a slot before had the same settings`() {
        write(1, for: 0)
        #expect(hidden(before: 0, 1).isEmpty)
        write(2, for: 3)
        write(1, for: 5)
        writes.note(.groupRepeated(step: 0, slot: 1, attempt: 1))
        #expect(hidden(before: 1, 1) == [2])
    }

    @Test mutating func `and comes later where a slot begins anew with what it had`() {
        write(1, for: 0)
        write(2, for: 4)
        writes.note(.slotRetaken(slot: 0, sequence: 7, reason: .droppedByDriver))
        write(1, for: 1)
        #expect(hidden(before: 0, 1).isEmpty)
        #expect(hidden(before: 1, 1) == [2])
    }

    /// Its frame has gone by, and its exposure is written already, for a slot to come; the lens goes back.
    @Test mutating func `also where another control goes back to a slot`() throws {
        let focus = try #require(CameraControl(name: "focus_absolute"))
        var profile = try Sample.plan().camera.profile
        profile.focus = FocusModel(
            control: focus, nearCode: 0, farCode: 1, latencyFrames: 1, settle: .zero)
        writes = HiddenWrites(profile)
        func moveLens(_ settings: Int32, for slot: Int64) {
            writes.note(
                .settingsWritten(settings: settings, slot: slot, begun: Sample.epoch, errno: 0))
            writes.note(.readBack(settings: settings, control: focus, asked: 1, found: 1))
        }
        write(1, for: 0)
        write(4, for: 1)
        write(3, for: 2)
        moveLens(3, for: 2)
        write(4, for: 3)
        #expect(hidden(before: 0, 1).isEmpty)
        moveLens(4, for: 1)
        #expect(hidden(before: 1, 4) == [4, 3])
    }

    @Test mutating func `what was written ahead and is written over is hidden`() {
        write(4, for: 4)
        write(2, for: 5)
        write(4, for: 4)
        write(2, for: 5)
        #expect(hidden(before: 4) == [4, 2])
        #expect(hidden(before: 5).isEmpty)
    }

    @Test mutating func `what waits for a slot to come is not taken for this one's`() {
        write(2, for: 2)
        #expect(hidden(before: 0).isEmpty)
        #expect(hidden(before: 1).isEmpty)
        #expect(hidden(before: 2).isEmpty)
    }

    @Test mutating func `what a camera begins with is known by what is read back`() {
        writes.note(.readBack(settings: 0, control: exposure, asked: 1, found: 1))
        write(1, for: 0)
        #expect(hidden(before: 0) == [0])
    }

    @Test mutating func `what is read behind the stream is written for no row`() {
        write(1, for: 0)
        write(2, for: 1)
        writes.note(.streamStopped)
        writes.note(.readBack(settings: 2, control: exposure, asked: 1, found: 1))
        #expect(hidden(before: 0).isEmpty)
        #expect(hidden(before: 1).isEmpty)
        #expect(hidden(before: 2).isEmpty)
        writes.note(.streamStarted)
        write(3, for: 2)
        write(4, for: 2)
        #expect(hidden(before: 2) == [3])
    }
}
