public import Timebase

/// What goes wrong on the way from a contact to the camera and to the host.
///
/// Chances are per million pulses.
public struct SimulatedLineFaults: Hashable, Sendable {
    /// Which of the kernel's two interfaces hands edges over.
    public enum Interface: Hashable, Sendable {
        /// 16 edges wait; the newest are dropped, and nothing shows it.
        case v1
        /// As many as asked for wait; the oldest are dropped, which the numbers show.
        case v2
    }

    /// The interface.
    public var interface = Interface.v2
    /// Edges that wait in the kernel, with the newer interface.
    public var kernelCapacity = 1024
    /// Pulses that are left out.
    public var missing = 0
    /// Pulses whose contact bounces: a second one follows within 20 to 800 µs.
    public var bounces = 0
    /// Pulses that a second one follows after 1 to 6 ms.
    public var doubled = 0
    /// Edges that the kernel does not notice.
    public var lostEdges = 0
    /// Edges that only the host sees, 6 ms after a pulse.
    public var spikes = 0
    /// Pauses of up to 20 s before a pulse.
    public var pauses = 0
    /// Edges that are timestamped late by up to 300 µs, with a heavy tail; others by 5 to 30 µs.
    public var lateTimestamps = 0
    /// Edges that are timestamped later than anybody promised: 0.4 to 3 ms.
    public var overdueTimestamps = 0
    /// An edge within this time of the last one's interrupt is not seen as an edge of its own.
    public var service = Interval.zero
    /// Frames that the sensor makes by itself.
    public var spuriousFrames = 0
    /// Frames that are lost inside the camera, without a number.
    public var lostInside = 0
    /// Frames that the driver loses.
    public var lostByDriver = 0

    /// Creates lines without faults.
    public init() {}
}
