internal import Devices
internal import Imaging
internal import Timebase

/// Takes what is needed of a frame out of the driver's memory, so that its buffer goes back at once.
///
/// Made by whoever opens the session, used by the capture thread alone; what it hands on are copies.
final class FrameIntake {
    private let camera: any CameraDriver
    private let layout: FrameLayout
    private let unpacking: FrameUnpacking
    private let pool: LiveFramePool
    /// One frame in the record's layout, for measuring; copies for consumers have memory of the pool.
    private let scratch: UnsafeMutableRawBufferPointer
    private let blackLevel: Int
    private let measured: FrameMeter.Subjects
    private var meter: FrameMeter?
    private var meterPoint = FramePoint.centre

    /// Allocates everything: one frame for measuring, and the pool.
    ///
    /// - Parameters:
    ///   - accepted: the layout that frames come in.
    ///   - profile: for the black level, 0 where it names none.
    ///   - poolCount: frames that consumers can hold at the same time.
    ///   - measured: what is measured in every frame, whether the machine needs it or not.
    /// - Throws: `DeviceError` for packed rows that are no whole groups of pixels.
    init(
        camera: any CameraDriver, accepted: AcceptedConfiguration, profile: CameraProfile,
        poolCount: Int, measured: FrameMeter.Subjects
    ) throws(DeviceError) {
        guard let unpacking = FrameUnpacking(accepted.layout) else {
            throw DeviceError(
                .unsupported,
                "\(accepted.layout.pixelFormat.name) rows of \(accepted.layout.size.width) pixels"
                    + " can't be unpacked: choose a width that is a multiple of 4")
        }
        self.camera = camera
        self.measured = measured
        self.unpacking = unpacking
        layout = accepted.layout
        let levels = profile.levels(bits: layout.pixelFormat.bitsPerSample)
        blackLevel = min(max(0, Int(levels?.black ?? 0)), layout.pixelFormat.maximum - 1)
        let byteCount = layout.recordedByteCount
        pool = LiveFramePool(count: poolCount, byteCount: byteCount)
        // Unsafe memory: one frame's samples, written and read by the capture thread alone.
        scratch = .allocate(byteCount: byteCount, alignment: 64)
    }

    deinit {
        scratch.deallocate()
    }

    /// A frame as manual controls see it, with what they need to know of it.
    ///
    /// A damaged frame is not measured, and neither is one of which nobody wants anything.
    ///
    /// - Parameters:
    ///   - frame: still in the driver's memory.
    ///   - notBefore: when the driver was last seen to have none; nil before that.
    ///   - machine: has what it needs, and where sharpness is to be measured.
    func observe(
        _ frame: DequeuedFrame, notBefore: Instant<Monotonic>?, for machine: ManualCamera
    ) -> MeteredFrame {
        var observed = MeteredFrame(
            sequence: frame.sequence, timestamp: frame.timestamp, notBefore: notBefore,
            isDamaged: frame.isDamaged)
        let subjects = measured.union(machine.neededReadings)
        guard !subjects.isEmpty, !frame.isDamaged else { return observed }
        unpacking.unpack(camera.bytes(of: frame), into: scratch)
        observed.reading = meter(subjects, machine).read(UnsafeRawBufferPointer(scratch))
        return observed
    }

    /// The meter for the part that the machine wants; replaced only when that changes.
    private func meter(_ subjects: FrameMeter.Subjects, _ machine: ManualCamera)
        -> FrameMeter
    {
        if let meter, meter.subjects == subjects, meterPoint == machine.focusPoint { return meter }
        let made = FrameMeter(
            format: layout.pixelFormat, size: layout.size, blackLevel: blackLevel,
            focusPoint: machine.focusPoint, subjects: subjects)
        (meter, meterPoint) = (made, machine.focusPoint)
        return made
    }

    /// A copy in the pool's memory; nil if consumers hold all of it.
    ///
    /// - Parameter state: is handed to consumers with the frame.
    func copy(_ frame: DequeuedFrame, _ state: ManualState) -> LiveFrame? {
        guard let buffer = pool.take() else { return nil }
        unpacking.unpack(camera.bytes(of: frame), into: pool.bytes(buffer))
        return LiveFrame(frame, layout: layout, state: state, pool: pool, buffer: buffer)
    }
}
