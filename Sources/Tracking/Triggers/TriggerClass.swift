/// What became of an edge on the line that triggers a camera, or of a frame of that camera.
public enum TriggerClass: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// One edge, one frame; also where that frame was lost on its way from the sensor.
    case matched
    /// An edge of which no frame was made: it came too early for the sensor, or before anything could be exposed.
    case missed
    /// A frame without an edge; or an edge without a frame though the sensor was ready and no frame is missing.
    case spurious
    /// An edge so close after the one that the sensor took that the frame fits both.
    case double
    /// An edge that the kernel lost; a frame whose edge is one of those.
    case lost
    /// What is known fits more than one of the others.
    case ambiguous
}
