public import Devices
public import Imaging

/// What a routine receives one frame.
public struct MeterReading: Hashable, Sendable {
    /// The frame's number, ascending, as the record has it.
    public var sequence: Int64
    /// The settings that the frame was certainly taken with, as the camera has them after quantising; what is not
    /// certain is `free`.
    public var settings: FrameSettings
    /// What was measured.
    public var reading: FrameReading

    /// Creates a measurement.
    public init(sequence: Int64, settings: FrameSettings, reading: FrameReading) {
        self.sequence = sequence
        self.settings = settings
        self.reading = reading
    }
}
