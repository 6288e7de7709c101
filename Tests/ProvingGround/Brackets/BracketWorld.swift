import Devices
import Timebase

/// Time that jumps over every wait.
final class BracketTime {
    var now = Instant<Monotonic>(nanoseconds: 3_000_000_000)
}

/// A camera alone, in virtual time.
final class BracketWorld: World {
    /// No line at all.
    private final class NoLines: LineDriver {
        var pollDescriptors: [Int32] { [] }
        func open(_ requests: [LineRequest]) throws(DeviceError) {}
        func readEdge() -> LineEdge? { nil }
        func set(line: Int32, active: Bool) -> Bool { false }
        func close() {}
    }

    let bracketCamera: BracketCamera
    let lines: any LineDriver = NoLines()
    private let time: BracketTime

    init(_ camera: BracketCamera, time: BracketTime) {
        bracketCamera = camera
        self.time = time
    }

    var camera: any CameraDriver { bracketCamera }
    var isVirtual: Bool { true }
    var stopRequests: Int { 0 }

    func now() -> Instant<Monotonic> { time.now }

    func realtime() -> ClockRelation<Monotonic, Realtime> {
        ClockRelation(offset: .seconds(1_700_000_000), halfWidth: .microseconds(1))
    }

    func wait(until deadline: Instant<Monotonic>) {
        time.now = max(time.now, min(deadline, bracketCamera.nextEvent))
    }

    func sleep(until wake: Instant<Monotonic>) { time.now = max(time.now, wake) }
}
