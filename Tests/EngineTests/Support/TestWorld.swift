import Cameras
import Engine
import Lines
import Timebase

/// Time that jumps over every wait.
final class TestTime {
    var now = Instant<Monotonic>(nanoseconds: 5_000_000_000)
}

/// Lines whose edges are known beforehand, and whose outputs are on record.
final class TestLines: LineDriver {
    /// Every edge that comes; the kernel lost those whose number is in `lost`.
    var edges: [LineEdge] = []
    var lost: Set<UInt32> = []
    private(set) var outputs: [(line: Int32, active: Bool, at: Instant<Monotonic>)] = []
    private(set) var delivered = 0
    private(set) var isOpen = false
    /// Whether outputs can be switched.
    var outputsWork = true
    private var place = 0
    private let time: TestTime

    init(time: TestTime) {
        self.time = time
        outputs.reserveCapacity(10_000)
    }

    var pollDescriptors: [Int32] { [] }

    func open(_ requests: [LineRequest]) throws(LineError) { isOpen = true }

    var nextEdge: Instant<Monotonic> {
        skipLost()
        return place < edges.count ? edges[place].timestamp : .distantFuture
    }

    func readEdge() -> LineEdge? {
        skipLost()
        guard place < edges.count, edges[place].timestamp <= time.now else { return nil }
        place += 1
        delivered += 1
        return edges[place - 1]
    }

    func set(line: Int32, active: Bool) -> Bool {
        if outputsWork { outputs.append((line, active, time.now)) }
        return outputsWork
    }

    func close() { isOpen = false }

    private func skipLost() {
        while place < edges.count, lost.contains(edges[place].lineSequence) { place += 1 }
    }
}

/// A rig in virtual time that keeps the truth.
final class TestWorld: RunWorld {
    let time: TestTime
    let testCamera: TestCamera
    let testLines: TestLines
    /// When the run is asked to stop, each once.
    var stops: [Instant<Monotonic>] = []
    /// Is told of every wait.
    var onWait: () -> Void = {}
    var isVirtual = true

    init(time: TestTime, camera: TestCamera, lines: TestLines) {
        self.time = time
        testCamera = camera
        testLines = lines
    }

    var camera: any CameraDriver { testCamera }
    var lines: any LineDriver { testLines }

    var stopRequests: Int {
        var count = 0
        for stop in stops where stop <= time.now { count += 1 }
        return count
    }

    func now() -> Instant<Monotonic> { time.now }

    func realtime() -> ClockRelation<Monotonic, Realtime> {
        ClockRelation(offset: .seconds(1_700_000_000), halfWidth: .microseconds(1))
    }

    func wait(until deadline: Instant<Monotonic>) {
        onWait()
        var wake = min(deadline, testCamera.nextEvent, testLines.nextEdge)
        for stop in stops where stop > time.now { wake = min(wake, stop) }
        time.now = max(time.now, wake)
    }

    func sleep(until wake: Instant<Monotonic>) { time.now = max(time.now, wake) }
}
