package import Timebase
package import Tracking

/// What really happened at a triggered camera, what the host got of it, and what was made of that.
package struct TriggerStory: Sendable {
    /// A pulse on the line.
    package struct Pulse: Sendable {
        package var time: Instant<Monotonic>
        /// Whether the camera saw it.
        package var reachesCamera: Bool
        /// The kernel's timestamp; nil if it was no edge of its own.
        package var timestamp: Instant<Monotonic>?
        /// The number of its edge, if the host got it.
        package var number: UInt32?
        /// The frame that it made.
        package var frame: Int?
    }

    /// A frame of the sensor.
    package struct Frame: Sendable {
        /// The pulse that made it; nil if the sensor did so by itself.
        package var pulse: Int?
        package var readout: Instant<Monotonic>
        /// The device's number; nil if it was lost inside the camera.
        package var sequence: UInt32?
        package var isDelivered = false
    }

    package var pulses: [Pulse] = []
    package var frames: [Frame] = []
    package var decisions: [TriggerDecision] = []
    /// Edges that the kernel lost.
    package var lostEdges = 0
    /// Whether the numbers of edges tell which were lost.
    package var countsEdges = true
}
