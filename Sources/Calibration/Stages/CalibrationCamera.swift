public import Devices
internal import Glibc
internal import Imaging
public import Timebase

/// A camera that is taken over for calibration: its automatics off, streaming, and given back as it was.
///
/// Runs stages in any ``World``, simulated or not; one thread, no lock.
///
/// Order of calls: ``init(world:profile:configuration:lines:)``, ``run(_:)`` as often as wanted, ``end()``. Frames go
/// back to the driver as soon as they are measured.
public final class CalibrationCamera {
    /// What the camera agreed to.
    public let accepted: AcceptedConfiguration
    /// What is known of the camera in this format: with the driver's own timing, and narrowed to what the device takes.
    public let profile: CameraProfile
    /// A stream that delivers no frame for so long is given up.
    private static let patience = Interval.seconds(10)

    private let world: any World
    private let unpacking: FrameUnpacking
    private let blackLevel: Int
    /// One frame in the record's layout, made once: measuring needs unpacked samples.
    private var scratch: [UInt8]
    /// Replaced when a stage wants other subjects measured; nil before the first.
    private var meter: FrameMeter?
    /// How the controls stood, to be given back so: values, then automatics.
    private var found: [ControlValue] = []
    /// When the last frame was dequeued, or a stage begun; patience counts from there.
    private var lastFrameAt: Instant<Monotonic>

    /// Configures a camera, starts its stream, switches its automatics off and pins what its profile pins.
    ///
    /// Lines are opened before the stream starts, so that no edge of it is missed.
    ///
    /// - Parameters:
    ///   - world: the camera, its lines and its time; used by this object alone until ``end()``.
    ///   - profile: what is known of the camera.
    ///   - configuration: how it is to stream; flips are those that the profile pins.
    ///   - lines: to be opened; stages name them by index.
    /// - Throws: `DeviceError` if it can't do that; the stream is stopped and the lines are closed then.
    public init(
        world: any World, profile: CameraProfile, configuration: CaptureConfiguration,
        lines: [LineRequest] = []
    ) throws {
        self.world = world
        let camera = world.camera
        lastFrameAt = world.now()
        do {
            accepted = try camera.configure(configuration.fitted(to: profile))
            // Only now do a raw sensor's controls report what they are in this mode.
            let device = try camera.describe()
            self.profile = try profile.timed(by: device, in: configuration)
                .adapted(to: configuration).narrowed(to: device)
            guard let unpacking = FrameUnpacking(accepted.layout) else {
                throw DeviceError(
                    .unsupported,
                    "\(accepted.layout.pixelFormat.name) rows of \(accepted.layout.size.width) pixels"
                        + " can't be unpacked: choose a width that is a multiple of 4")
            }
            self.unpacking = unpacking
            let bits = accepted.layout.pixelFormat.bitsPerSample
            blackLevel = min(
                max(0, Int(self.profile.levels(bits: bits)?.black ?? 0)),
                accepted.layout.pixelFormat.maximum - 1)
            scratch = Array(repeating: 0, count: accepted.layout.recordedByteCount)
            try world.lines.open(lines)
            try camera.start()
            try takeOver()
        } catch {
            Self.give(found, back: camera)
            camera.stop()
            world.lines.close()
            throw error
        }
    }

    /// Which camera it is.
    public var identity: CameraIdentity { world.camera.identity }
    /// Its name for messages.
    public var id: String { identity.id }

    /// Time from frame to frame, as the camera promised it when it was configured; nil if it did not, and not measured.
    public var promisedPeriod: Interval? { accepted.rate?.period }

    /// What the device reports of a control now, its code included; nil if it has none.
    ///
    /// - Throws: `DeviceError` if the controls can't be listed.
    public func describe(_ control: CameraControl) throws(DeviceError) -> ControlDescription? {
        try world.camera.controls().first { $0.control == control }
    }

    /// Why the camera did not take a value, with what to do; `errno` is positive.
    func refusal(of value: ControlValue, errno: Int32) -> DeviceError {
        .refusal(of: [value], by: identity, errno: errno)
    }

    /// Runs a stage to its end.
    ///
    /// The stage is asked what to do after it has received everything that happened: changed controls first, then
    /// edges, then frames. In between the thread waits nowhere but in the world's `wait`.
    ///
    /// - Parameter stage: is copied; the copy that is returned has what was found.
    /// - Throws: ``CalibrationError`` from the stage, and if the person asks to stop; `DeviceError` if the stream
    ///   breaks off or no frame comes for ten seconds.
    public func run<Stage: CalibrationStage>(_ stage: Stage) throws -> Stage {
        var stage = stage
        lastFrameAt = world.now()
        while true {
            guard world.stopRequests == 0 else {
                throw CalibrationError("stopped; the camera is as it was before", .stopped)
            }
            switch try stage.next(at: world.now()) {
            case .write(let values): stage.handle(.written(write(values)))
            case .set(let line, let active): stage.handle(.set(try set(line, active)))
            case .wait(let deadline):
                world.wait(until: min(deadline, lastFrameAt + Self.patience))
                try deliver(&stage)
            case .finish: return stage
            }
        }
    }

    /// Gives every control back as it was, and ends the stream.
    ///
    /// Values go first, while their automatics are still off and let them be written, automatics last. What the camera
    /// refuses then stays as it is. Called once, also after an error.
    public func end() {
        Self.give(found, back: world.camera)
        world.camera.stop()
        world.lines.close()
    }

    /// Writes values one by one; one that is refused keeps no other from its place.
    private static func give(_ found: [ControlValue], back camera: any CameraDriver) {
        for value in found { [value].withUnsafeBufferPointer { _ = camera.write($0) } }
    }

    /// Sets an output, with the times before and after the call as bounds of when it changed.
    private func set(_ line: Int32, _ active: Bool) throws(CalibrationError) -> LineChange {
        let begun = world.now()
        guard world.lines.set(line: line, active: active) else {
            throw CalibrationError(
                "the kernel refused to set the output: its chip may be gone", .camera)
        }
        return LineChange(line: line, isActive: active, begun: begun, ended: world.now())
    }

    /// Passes everything that has happened to a stage, in the order that ``run(_:)`` describes, until no frame is left.
    private func deliver(_ stage: inout some CalibrationStage) throws {
        while let change = world.camera.readControlChange() { stage.handle(.changed(change)) }
        while let edge = world.lines.readEdge() { stage.handle(.edge(edge)) }
        while true {
            switch world.camera.dequeue() {
            case .empty: return try checkPatience()
            case .failed(let errno):
                throw DeviceError(
                    errno == ENODEV ? .notFound : .failed,
                    "camera \(id) broke its stream off: \(String(cString: strerror(errno)))")
            case .frame(let frame):
                // Damaged frames alone give no information, however many come.
                if frame.isDamaged { try checkPatience() } else { lastFrameAt = world.now() }
                stage.handle(.frame(measure(frame, stage.subjects, rows: stage.wantsRows)))
                // A driver that does not take a buffer back is gone, which the next dequeue reports too.
                _ = world.camera.requeue(frame)
            }
        }
    }

    private func checkPatience() throws(DeviceError) {
        guard world.now() < lastFrameAt + Self.patience else {
            throw world.camera.noFrame(for: Self.patience)
        }
    }

    /// Measures a frame as far as the stage wants it; of a damaged one, and where nothing is wanted, only its times are
    /// kept.
    private func measure(
        _ frame: DequeuedFrame, _ subjects: FrameMeter.Subjects, rows: Bool
    ) -> CalibrationFrame {
        var measured = CalibrationFrame(
            sequence: frame.sequence, timestamp: frame.timestamp, isDamaged: frame.isDamaged)
        guard !subjects.isEmpty || rows, !frame.isDamaged else { return measured }
        if meter?.subjects != subjects {
            meter = FrameMeter(
                format: accepted.layout.pixelFormat, size: accepted.layout.size,
                blackLevel: blackLevel, subjects: subjects)
        }
        scratch.withUnsafeMutableBytes { bytes in
            unpacking.unpack(world.camera.bytes(of: frame), into: bytes)
            measured.reading =
                meter?.read(UnsafeRawBufferPointer(bytes)) ?? FrameReading()
            if rows {
                measured.rows = RowLevels.thousandths(
                    UnsafeRawBufferPointer(bytes), accepted.layout)
            }
        }
        return measured
    }

    /// Writes controls in one call; a refusal is no error here, the stage decides what it means.
    private func write(_ values: [ControlValue]) -> CalibrationWrite {
        let begun = world.now()
        let status = values.withUnsafeBufferPointer { world.camera.write($0) }
        return CalibrationWrite(
            values: values, begun: begun, ended: world.now(), errno: -status)
    }

    /// Notes how the camera stands, then switches automatics off one by one and pins what changes pixels.
    ///
    /// One call each, since drivers send a batch in an order of their own and cameras refuse values while an automatic
    /// is on. Controls that are read-only, grabbed or not there are left out; inactive ones are not given back, because
    /// their automatic had them.
    ///
    /// - Throws: `DeviceError` if the camera refuses to have an automatic off or a value pinned.
    private func takeOver() throws(DeviceError) {
        let status = try ControlStatus(world.camera)
        let automatics = profile.automaticsOff
        let pinned = profile.pinned + [profile.timing?.blanking].compactMap { $0 }
        func held(_ control: CameraControl) -> ControlDescription? {
            status[control].flatMap { $0.isReadOnly || $0.isGrabbed ? nil : $0 }
        }
        // Blanking first: the range of the exposure follows it.
        let controls = blankings + calibratedControls + pinned.map(\.control)
        let values = controls.compactMap(held).filter { !$0.isInactive }
        for description in values + automatics.compactMap({ held($0.control) }) {
            if let code = description.code {
                found.append(ControlValue(description.control, code))
            }
        }
        for value in automatics + pinned where held(value.control) != nil {
            try world.camera.set([value])
        }
        world.camera.watch(calibratedControls + automatics.map(\.control))
    }

    /// The controls of a raw sensor's frame and line length.
    private var blankings: [CameraControl] {
        [profile.sensor?.vertical.control, profile.sensor?.horizontal?.control].compactMap { $0 }
    }

    /// The controls whose values a calibration moves.
    private var calibratedControls: [CameraControl] {
        SettingComponent.all.compactMap { profile.control(of: $0) }
    }
}
