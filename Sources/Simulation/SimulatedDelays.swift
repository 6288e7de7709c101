public import Devices
public import Imaging
public import Timebase

/// How long things take in the simulated camera.
public struct SimulatedDelays: Hashable, Sendable {
    /// Frames from the one that is being exposed at a write to the first that shows it, for controls that are to
    /// have another latency than the profile states.
    public var latencies: [CameraControl: Int64]
    /// Time from the end of a frame's readout to its delivery; timestamps are not later than that.
    public var transfer: Interval
    /// How long a write of one control takes; the sensor gets the value at some time within that.
    public var write: Interval
    /// A size that the camera offers besides its own: small pictures make long tests short.
    public var extraSize: FrameSize?

    /// Creates delays; without figures they are the profile's.
    public init(
        latencies: [CameraControl: Int64] = [:], transfer: Interval = .milliseconds(2),
        write: Interval = .zero, extraSize: FrameSize? = nil
    ) {
        precondition(latencies.values.allSatisfy { $0 >= 0 }, "nothing shows before it is written")
        precondition(transfer >= .zero && write >= .zero, "time goes forwards")
        self.latencies = latencies
        self.transfer = transfer
        self.write = write
        self.extraSize = extraSize
    }

    /// The latency of a control: 2 frames for the exposure, 1 for all others, unless it is given.
    func latency(of control: CameraControl) -> Int64 {
        latencies[control] ?? (control == SimulatedControls.exposure ? 2 : 1)
    }

    /// The formats that the camera offers; of the extra size, one for each kind of pixels.
    var formats: [CameraFormat] {
        let usual = CameraProfile.simulated.formats
        guard let extraSize else { return usual }
        var seen: Set<String> = []
        return usual
            + usual.filter { seen.insert($0.fourCC).inserted }.map { format in
                var small = format
                small.size = extraSize
                return small
            }
    }
}
