package import Devices
package import Timebase

/// Time that jumps over every wait.
package final class TestTime {
    package init() {}

    package var now = Instant<Monotonic>(nanoseconds: 5_000_000_000)
}

/// Lines whose edges are known beforehand, and whose outputs are on record.
package final class TestLines: LineDriver {
    /// Every edge that comes; the kernel lost those whose number is in `lost`.
    package var edges: [LineEdge] = []
    package var lost: Set<UInt32> = []
    package private(set) var outputs: [(line: Int32, active: Bool, at: Instant<Monotonic>)] = []
    package private(set) var delivered = 0
    package private(set) var isOpen = false
    /// Whether outputs can be switched.
    package var outputsWork = true
    private var place = 0
    private let time: TestTime

    package init(time: TestTime) {
        self.time = time
        outputs.reserveCapacity(10_000)
    }

    package var pollDescriptors: [Int32] { [] }

    package func open(_ requests: [LineRequest]) throws(DeviceError) { isOpen = true }

    package var nextEdge: Instant<Monotonic> {
        skipLost()
        return place < edges.count ? edges[place].timestamp : .distantFuture
    }

    package func readEdge() -> LineEdge? {
        skipLost()
        guard place < edges.count, edges[place].timestamp <= time.now else { return nil }
        place += 1
        delivered += 1
        return edges[place - 1]
    }

    package func set(line: Int32, active: Bool) -> Bool {
        if outputsWork { outputs.append((line, active, time.now)) }
        return outputsWork
    }

    package func close() { isOpen = false }

    /// Edges that one line's queue holds; nil for as many as there are.
    ///
    /// Of more, the kernel drops the oldest.
    var capacity: Int?
    /// Places of edges that found no room.
    private(set) var overflowed: Set<Int> = []

    /// Drops what no queue has room for by now.
    func overflow() {
        guard let capacity else { return }
        var waiting: [Int32: [Int]] = [:]
        var next = place
        while next < edges.count, edges[next].timestamp <= time.now {
            if !isLost(next) { waiting[edges[next].line, default: []].append(next) }
            next += 1
        }
        for places in waiting.values where places.count > capacity {
            overflowed.formUnion(places.dropLast(capacity))
        }
    }

    /// Whether the kernel lost an edge.
    func isLost(_ place: Int) -> Bool {
        lost.contains(edges[place].lineSequence) || overflowed.contains(place)
    }

    /// The edges before this place have been read, or were lost.
    var placesRead: Int { place }

    private func skipLost() {
        while place < edges.count, isLost(place) { place += 1 }
    }
}

/// A rig in virtual time that keeps the truth.
package final class TestWorld: World {
    package let time: TestTime
    package let testCamera: TestCamera
    package let testLines: TestLines
    /// When the run is asked to stop, each once.
    package var stops: [Instant<Monotonic>] = []
    /// When the host does not get to its work, and until when.
    package var starvation: [Range<Instant<Monotonic>>] = []
    /// How often that happened.
    private(set) var starved = 0
    /// Is told of every wait.
    package var onWait: () -> Void = {}
    package var isVirtual = true
    /// The disk, where it is part of the world.
    package var testDisk: TestDisk?
    package var disk: (any VirtualDisk)? { testDisk }

    package init(time: TestTime, camera: TestCamera, lines: TestLines) {
        self.time = time
        testCamera = camera
        testLines = lines
    }

    package var camera: any CameraDriver { testCamera }
    package var lines: any LineDriver { testLines }

    package var stopRequests: Int {
        var count = 0
        for stop in stops where stop <= time.now { count += 1 }
        return count
    }

    package func now() -> Instant<Monotonic> { time.now }

    package func realtime() -> ClockRelation<Monotonic, Realtime> {
        ClockRelation(offset: .seconds(1_700_000_000), halfWidth: .microseconds(1))
    }

    package func wait(until deadline: Instant<Monotonic>) {
        onWait()
        var wake = min(deadline, testCamera.nextEvent, testLines.nextEdge)
        for stop in stops where stop > time.now { wake = min(wake, stop) }
        time.now = max(time.now, wake)
        if let span = starvation.first(where: { $0.contains(time.now) }) {
            starved += 1
            time.now = span.upperBound
        }
        testLines.overflow()
    }

    package func sleep(until wake: Instant<Monotonic>) { time.now = max(time.now, wake) }
}
