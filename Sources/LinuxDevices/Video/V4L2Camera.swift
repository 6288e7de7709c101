internal import CVideo
public import Devices
internal import Glibc
internal import Imaging
internal import Timebase

/// A camera behind a V4L2 capture node: USB cameras, HDMI grabbers, raw sensors, the kernel's virtual ones.
///
/// Made by ``CameraDiscovery/open(_:bufferCount:priority:)``. While it lives, no other framelock can open the same
/// camera.
///
/// Joins the parts: the node and its frame queue, the controls of all sub-devices, the media graph where formats are
/// decided there, and the metadata nodes beside the frames.
public final class V4L2Camera: CameraDriver {
    /// Which camera it is.
    public let identity: CameraIdentity
    /// What the driver claims of its timestamps; nil before ``configure(_:)``.
    public var timestampSource: TimestampSource? { queue?.timestampSource }

    /// The capture node.
    let device: VideoDevice
    /// The media graph; nil for a camera whose node decides by itself.
    let graph: MediaGraph?
    /// Held for as long as the camera lives; nil where it is only described.
    private let lock: DeviceLock?
    private let controlSet: CameraControls
    /// Those of a sensor that no graph leads to.
    private var flips: NodeFlips?
    private let priority: PriorityClaim
    /// Frame buffers to ask for; 0 for a camera that is only described.
    private let buffersWanted: Int
    private let clockNode: CameraClockNode?
    private var clock: FollowedClock?
    /// Device files of metadata nodes beside the capture node; empty for USB cameras.
    let metadataNodes: [String]
    private var embedded: EmbeddedDataQueue?
    /// Where the media graph brings embedded data to.
    var metadataNode: MetadataNode?
    /// What was configured last; kept after ``stop()``.
    private(set) var configuration: CaptureConfiguration?
    /// What was agreed on for a stream that has not started yet.
    private var accepted: AcceptedConfiguration?
    /// The input that was selected before a configuration chose another; nil where none did.
    private var foundInput: VideoInput?
    /// What people should know of the camera's set-up: what could not be had, and what could not be put back.
    public internal(set) var notices: [String] = []
    /// The mapped frame buffers; nil before ``configure(_:)`` and after ``stop()``.
    private var queue: FrameQueue?

    /// Takes over an open device.
    ///
    /// - Parameters:
    ///   - device: the node.
    ///   - identity: which camera it is.
    ///   - graph: the media graph, where formats are decided in it.
    ///   - clock: where the camera's own clock can be read; nil if nowhere.
    ///   - metadataNodes: where a raw sensor may report what its frames were exposed with.
    ///   - lock: what keeps others away; nil where nothing is configured.
    ///   - priority: how long other programs' writes are refused.
    ///   - bufferCount: frame buffers to ask for.
    /// - Throws: ``DeviceError`` if a part of the camera can't be opened.
    init(
        device: VideoDevice, identity: CameraIdentity, graph: MediaGraph? = nil,
        clock: CameraClockNode? = nil, metadataNodes: [String] = [], lock: DeviceLock? = nil,
        priority: PriorityClaim = .never, bufferCount: Int
    ) throws(DeviceError) {
        self.device = device
        self.identity = identity
        self.graph = graph
        clockNode = clock
        self.metadataNodes = metadataNodes
        self.lock = lock
        self.priority = priority
        buffersWanted = bufferCount
        let node = ControlDevice(node: device)
        if let graph, let number = device.number {
            controlSet = CameraControls(try graph.openParts(behind: number) + [node])
        } else {
            controlSet = CameraControls([node])
        }
        if graph == nil, identity.sensor != nil { flips = NodeFlips(controlSet) }
        if priority != .never { try device.setPriority(.record) }
    }

    deinit {
        stop()
    }

    /// The video node's descriptor.
    public var pollDescriptor: Int32 { device.descriptor }

    /// The descriptors of its other parts, which have an event when one of their controls changes.
    ///
    /// The sensor first; the capture node's own is left out.
    var partDescriptors: [Int32] { controlSet.devices.dropLast().map(\.descriptor) }

    /// What the selected input offers and how its controls stand.
    public func describe() throws(DeviceError) -> CameraDescription {
        let inputs = device.listInputs()
        let sensor = graph?.sensorPad(behind: device.number, among: controlSet.devices)
        var description = CameraDescription(
            identity: identity, formats: sensor.map { device.listFormats(of: $0) } ?? [],
            controls: controlSet.describe(), inputs: inputs.count > 1 ? inputs.map(\.name) : [])
        if inputs.count > 1 { description.selectedInput = device.currentInput()?.name }
        if description.formats.isEmpty { description.formats = device.listFormats() }
        description.selected = device.selectedFormat(among: description.formats, sensor)
        return sensor == nil && identity.sensor == nil ? description : description.withoutFlips
    }

    /// How the controls of all its parts stand.
    public func controls() throws(DeviceError) -> [ControlDescription] { controlSet.describe() }

    /// Selects the input, sets signal timings, media graph, region, format and rate, and maps the frame buffers; of a
    /// raw sensor that is in this mode already, the frame length alone.
    ///
    /// What is asked is never replaced by something near. The frame buffers are mapped again each time but for a change
    /// of the frame length, so what an earlier frame lay in is gone.
    ///
    /// - Throws: ``DeviceError`` naming what the device can't do, or who uses it.
    public func configure(_ configuration: CaptureConfiguration) throws(DeviceError)
        -> AcceptedConfiguration
    {
        if let accepted = try changingRate(to: configuration) { return accepted }
        let accepted = try setting(configuration)
        self.accepted = accepted
        return accepted
    }

    /// Sets the frame length alone, which needs no new buffers.
    ///
    /// - Returns: nil where more than that changes, and for all but raw sensors.
    private func changingRate(
        to configuration: CaptureConfiguration
    ) throws(DeviceError) -> AcceptedConfiguration? {
        guard identity.sensor != nil, var accepted, var present = self.configuration else {
            return nil
        }
        (present.rate, present.blanking) = (configuration.rate, configuration.blanking)
        guard present == configuration else { return nil }
        accepted.rate = try SensorFrameLength.setRate(
            configuration, by: controlSet, or: device, of: identity.id)
        self.configuration = configuration
        self.accepted = accepted
        return accepted
    }

    /// Sets everything: what decides a range or a layout before what depends on it.
    private func setting(
        _ configuration: CaptureConfiguration
    ) throws(DeviceError) -> AcceptedConfiguration {
        stop()
        let (pixels, size) = (configuration.pixelFormat, configuration.size)
        if let region = configuration.region, region.size != size {
            throw DeviceError(
                .unsupported,
                "camera \(identity.id): frames of \(size) can't be made of the region \(region): "
                    + "framelock does not record scaled frames; make `size` that of the region")
        }
        if let input = configuration.input { foundInput = try device.selectInput(input) }
        let imageSize = configuration.region == nil ? size : nil
        try device.setTimings(imageSize, configuration.rate)
        self.configuration = configuration
        flips?.set(configuration.layout).forEach {
            add("the order of colours is not as asked for: \($0)")
        }
        try prepareGraph(wantsMetadata: configuration.embeddedData != nil)
        try device.setRegion(configuration.region)
        let layout = try device.setFormat(pixels, size)
        try device.checkRegion(configuration.region)
        // Another format may bring other controls.
        controlSet.refresh()
        let rate = try SensorFrameLength.setRate(
            configuration, by: controlSet, or: device, of: identity.id)
        let queue = try FrameQueue(
            device: device, wanted: buffersWanted, frameBytes: layout.byteCount)
        self.queue = queue
        return AcceptedConfiguration(layout: layout, rate: rate, bufferCount: queue.count)
    }

    /// Writes controls: blanking first, then one request per 16 controls and part, in this order.
    public func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        controlSet.write(values)
    }

    /// Reads one control back; drivers may answer from a cache.
    public func read(_ control: CameraControl) -> Result<Int64, DeviceError> {
        controlSet.read(control).mapError { error in
            device.failure(-error.code, "read the control \(control.name)")
        }
    }

    /// Notices from now on when somebody else changes one of these controls.
    public func watch(_ controls: [CameraControl]) { controlSet.startWatching(controls) }

    /// Takes the oldest change that somebody else made; asks the kernel only after a poll that reported one.
    public func readControlChange() -> ControlChange? { controlSet.readChange() }

    /// The descriptors were polled: whether one of them has an event of controls.
    func noteControlsPolled(hasNews: Bool) { controlSet.notePolled(hasNews: hasNews) }

    /// Fetches the headers of the camera's packets, which have its clock, from its metadata node.
    public func followCameraClock() throws(DeviceError) -> Int64 {
        guard let queue, let clockNode else {
            throw DeviceError(
                .unsupported,
                "camera \(identity.id) has no metadata node with its own clock (uvcvideo makes one"
                    + " since Linux 4.16): leave `camera_clock` out of its profile")
        }
        let count = queue.count
        clock = try yielding { () throws(DeviceError) in
            try FollowedClock(clockNode, bufferCount: count)
        }
        return clockNode.ticksPerSecond
    }

    /// Fetches the sensor's registers from its metadata node, if it has one.
    ///
    /// Where it can't be had, the way to it is taken out of the graph again: the sensor might wait for that node to
    /// stream.
    public func followEmbeddedData(_ format: EmbeddedDataFormat) -> Bool {
        guard let queue else { return false }
        let count = queue.count
        let nodes = graph == nil ? metadataNodes : metadataNode.map { [$0.path] } ?? []
        embedded = try? yielding { () throws(DeviceError) in
            EmbeddedDataQueue(nodes, format, bufferCount: count)
        }
        if embedded == nil { dropMetadata() }
        return embedded != nil
    }

    /// Lets go of the claimed priority meanwhile: it keeps every other descriptor away, also ours of the metadata node.
    func yielding<Value>(
        _ work: () throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        guard priority != .never else { return try work() }
        try device.setPriority(.interactive)
        // A node that fails must not leave the camera to others.
        let result = Result { () throws(DeviceError) in try work() }
        try device.setPriority(.record)
        return try result.get()
    }

    /// Starts the stream, with all buffers queued: metadata first, the frames last.
    ///
    /// - Throws: ``DeviceError`` `failed` before ``configure(_:)``, else what the driver refuses.
    public func start() throws(DeviceError) {
        guard let queue else {
            throw DeviceError(.failed, "camera \(identity.id) was started before it was configured")
        }
        accepted = nil
        if let clock { try yielding { () throws(DeviceError) in try clock.start() } }
        startEmbeddedData()
        try queue.start(sensor: identity.sensor == nil ? nil : identity.name)
        // From here on a write by somebody else succeeds, and is noticed.
        if priority == .untilStart { try device.setPriority(.interactive) }
    }

    /// A node that does not start, since nothing links it to the sensor, is none.
    private func startEmbeddedData() {
        guard let data = embedded else { return }
        do throws(DeviceError) {
            try yielding { () throws(DeviceError) in try data.start() }
        } catch {
            embedded = nil
            add("frames come without embedded data: \(error.message)")
            dropMetadata()
        }
    }

    /// Takes the oldest complete frame, with what its metadata nodes have of it.
    ///
    /// Called on the capture thread; never waits.
    public func dequeue() -> DequeueResult {
        guard let queue else { return .empty }
        let delivery = queue.dequeue()
        switch delivery.kind {
        case .empty: return .empty
        case .failed: return .failed(errno: delivery.errno)
        case .frame:
            return .frame(
                DequeuedFrame(
                    buffer: Int32(bitPattern: delivery.buffer), sequence: delivery.sequence,
                    timestamp: Instant(nanoseconds: delivery.nanoseconds),
                    cameraTimestamp: clock?.timestamp(delivery.sequence),
                    embedded: embedded?.data(of: delivery.sequence, at: delivery.nanoseconds),
                    byteCount: delivery.byteCount, isDamaged: delivery.isDamaged))
        }
    }

    /// The memory of a whole frame, also of a damaged one.
    public func bytes(of frame: DequeuedFrame) -> UnsafeRawBufferPointer {
        guard let queue, (0..<queue.count).contains(Int(frame.buffer)) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return queue.bytes(Int(frame.buffer))
    }

    /// Gives a buffer back to the driver.
    public func requeue(_ frame: DequeuedFrame) -> Int32 {
        guard let queue else { return -EINVAL }
        return queue.requeue(UInt32(bitPattern: frame.buffer))
    }

    /// Stops the stream and frees the buffers.
    ///
    /// Frames first, then metadata; then links, formats, flips and the input are put back as they were found. What
    /// can't be is a notice.
    public func stop() {
        accepted = nil
        queue?.stop()
        queue = nil
        clock?.stop()
        clock = nil
        embedded?.stop()
        embedded = nil
        metadataNode = nil
        let left = (graph?.putBack() ?? []) + (flips?.putBack() ?? [])
        left.forEach { add("not put back as it was: \($0)") }
        putInputBack()
    }

    /// Selects the input that was selected when the camera was found, if a configuration chose another.
    private func putInputBack() {
        guard let input = foundInput else { return }
        foundInput = nil
        do throws(DeviceError) {
            try device.select(input)
        } catch {
            add("not put back as it was: the input `\(input.name)` (\(error.message))")
        }
    }
}
