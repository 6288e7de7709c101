public import Timebase

/// Where a run takes place: its devices and its time.
///
/// Linux and the simulation each have one.
///
/// Used by one thread at a time. `now`, `wait` and `stopRequests` allocate nothing.
public protocol World: AnyObject {
    /// The camera.
    var camera: any CameraDriver { get }
    /// The digital lines.
    var lines: any LineDriver { get }
    /// The clocks beside the monotonic one.
    var clocks: any ClockDriver { get }
    /// Whether time stands still while the run works: then a full disk queue is waited for and drops nothing.
    var isVirtual: Bool { get }
    /// The disk, where it is part of this world; then a slow one drops frames in virtual time too.
    var disk: (any VirtualDisk)? { get }
    /// How warm the instrument is; nil where nothing measures it.
    var thermometer: (any Thermometer)? { get }
    /// How far the monotonic clock and its relatives advance at a time at most: timestamps are cut off to that.
    var clockResolution: ClockResolution { get }
    /// How often the run was asked to stop so far.
    var stopRequests: Int { get }

    /// The present.
    func now() -> Instant<Monotonic>

    /// How realtime reads now.
    func realtime() -> ClockRelation<Monotonic, Realtime>

    /// Sleeps until a frame, an edge or a changed control waits, the run is asked to stop, or the deadline has come.
    ///
    /// Where time is real, it sleeps for a second at most.
    func wait(until deadline: Instant<Monotonic>)

    /// Sleeps until a time, whatever happens meanwhile; for what has to be waited for before the first slot.
    func sleep(until time: Instant<Monotonic>)
}

extension World {
    /// None: for worlds of tests.
    public var clocks: any ClockDriver { NoClocks() }
    /// The machine's own disk.
    public var disk: (any VirtualDisk)? { nil }
    /// Whole nanoseconds.
    public var clockResolution: ClockResolution { .nanosecond }
    /// None.
    public var thermometer: (any Thermometer)? { nil }
}
