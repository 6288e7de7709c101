internal import Devices
internal import Imaging
internal import Timebase

/// Takes what is needed of a frame out of the driver's memory, so that its buffer goes back at once.
final class FrameIntake {
    private let camera: any CameraDriver
    private let layout: FrameLayout
    private let unpacking: FrameUnpacking
    private let pool: LiveFramePool
    private let scratch: UnsafeMutableRawBufferPointer
    private let blackLevel: Int
    private let measured: FrameMeter.Subjects
    private var meter: FrameMeter?
    private var meterPoint = FramePoint.centre

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

    /// The meter that looks where the machine wants; made anew only when that changes.
    private func meter(_ subjects: FrameMeter.Subjects, _ machine: ManualCamera) -> FrameMeter {
        if let meter, meter.subjects == subjects, meterPoint == machine.focusPoint { return meter }
        let made = FrameMeter(
            format: layout.pixelFormat, size: layout.size, blackLevel: blackLevel,
            focusPoint: machine.focusPoint, subjects: subjects)
        (meter, meterPoint) = (made, machine.focusPoint)
        return made
    }

    /// A copy in the pool's memory; nil if consumers hold all of it.
    func copy(_ frame: DequeuedFrame, _ state: ManualState) -> LiveFrame? {
        guard let buffer = pool.take() else { return nil }
        unpacking.unpack(camera.bytes(of: frame), into: pool.bytes(buffer))
        return LiveFrame(frame, layout: layout, state: state, pool: pool, buffer: buffer)
    }
}
