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

    private mutating func write(_ settings: Int32) {
        writes.note(.settingsWritten(settings: settings, begun: Sample.epoch, errno: 0))
        writes.note(.readBack(settings: settings, control: exposure, asked: 1, found: 1))
    }

    @Test mutating func `settings that are written for the next frame are hidden by nothing`() {
        for settings: Int32 in [0, 1, 2] { write(settings) }
        #expect(writes.take(.exposure, before: 0).isEmpty)
        #expect(writes.take(.exposure, before: 1).isEmpty)
        #expect(writes.take(.exposure, before: 2).isEmpty)
    }

    @Test mutating func `what a bracket puts back before the next one is hidden`() {
        for settings: Int32 in [1, 0, 2] { write(settings) }
        #expect(writes.take(.exposure, before: 1).isEmpty)
        #expect(writes.take(.exposure, before: 2) == [0])
        #expect(writes.take(.gain, before: 2).isEmpty)
    }

    @Test mutating func `the settings of a hole are hidden if they were written`() {
        for settings: Int32 in [1, 2] { write(settings) }
        #expect(writes.take(.exposure, before: 1, isHole: true) == [1])
        #expect(writes.take(.exposure, before: 3, isHole: true).isEmpty)
        #expect(writes.take(.exposure, before: 2).isEmpty)
    }

    @Test mutating func `a group that is taken again has none of its first writes`() {
        for settings: Int32 in [1, 2] { write(settings) }
        writes.note(.groupRepeated(step: 0, slot: 0, attempt: 1))
        write(1)
        #expect(writes.take(.exposure, before: 1) == [1, 2])
    }

    @Test mutating func `and its last ones where nothing had to be written anew`() {
        for settings: Int32 in [1, 2, 0, 1] { write(settings) }
        writes.note(.groupRepeated(step: 0, slot: 0, attempt: 1))
        #expect(writes.take(.exposure, before: 1) == [1, 2, 0])
    }

    @Test mutating func `what a camera begins with is known by what is read back`() {
        writes.note(.readBack(settings: 0, control: exposure, asked: 1, found: 1))
        write(1)
        #expect(writes.take(.exposure, before: 1) == [0])
    }
}
