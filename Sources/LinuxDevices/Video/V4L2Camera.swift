internal import CVideo
public import Cameras
internal import Glibc
internal import Imaging
internal import Timebase

/// A camera behind a V4L2 capture node: USB cameras, HDMI grabbers, raw sensors, the kernel's virtual ones.
///
/// Made by ``CameraDiscovery/open(_:bufferCount:claimsPriority:)``. While it lives, no other framelock can open the
/// same camera.
public final class V4L2Camera: CameraDriver {
    /// Which camera it is.
    public let identity: CameraIdentity
    /// What the driver claims of its time stamps; nil before ``configure(_:)``.
    public var timestampSource: TimestampSource? { queue?.timestampSource }

    private let device: VideoDevice
    private let graph: MediaGraph?
    private let lock: DeviceLock?
    private let writer: ControlWriter
    private let wideControls: [UInt32]
    private let buffersWanted: Int
    private var queue: FrameQueue?

    /// Takes over an open device.
    ///
    /// - Parameters:
    ///   - device: the node.
    ///   - identity: which camera it is.
    ///   - graph: the media graph, where formats are decided in it.
    ///   - lock: what keeps others away; nil where nothing is configured.
    ///   - bufferCount: frame buffers to ask for.
    init(
        device: VideoDevice, identity: CameraIdentity, graph: MediaGraph? = nil,
        lock: DeviceLock? = nil, bufferCount: Int
    ) {
        self.device = device
        self.identity = identity
        self.graph = graph
        self.lock = lock
        buffersWanted = bufferCount
        writer = ControlWriter(descriptor: device.descriptor)
        wideControls = device.listWideControls()
    }

    deinit {
        stop()
    }

    /// The video node's descriptor.
    public var pollDescriptor: Int32 { device.descriptor }

    /// What the selected input offers and how its controls stand.
    public func describe() throws(CameraError) -> CameraDescription {
        let inputs = device.listInputs()
        return CameraDescription(
            identity: identity, formats: device.listFormats(), controls: device.listControls(),
            inputs: inputs.count > 1 ? inputs.map(\.name) : [])
    }

    /// Selects the input, sets signal timings, media graph, region, format and rate, and maps the frame buffers.
    public func configure(_ configuration: CaptureConfiguration) throws(CameraError)
        -> AcceptedConfiguration
    {
        stop()
        let (pixels, size) = (configuration.pixelFormat, configuration.size)
        if let region = configuration.region, region.size != size {
            throw CameraError(
                .unsupported,
                "camera \(identity.id): frames of \(size) can't be made of the region \(region): "
                    + "framelock does not record scaled frames; make `size` that of the region")
        }
        if let input = configuration.input { try device.selectInput(input) }
        let imageSize = configuration.region == nil ? size : nil
        try device.setTimings(imageSize, configuration.rate)
        if let graph, let number = device.number { try graph.prepare(number, pixels, size) }
        try device.setRegion(configuration.region)
        let layout = try device.setFormat(pixels, size)
        try device.checkRegion(configuration.region)
        let format = CameraFormat(
            fourCC: fourCCText(pixels.fourCC), pixelFormat: pixels, size: size, rates: [])
        let rate = try device.setRate(configuration.rate, for: format)
        let queue = try FrameQueue(
            device: device, wanted: buffersWanted, frameBytes: layout.byteCount)
        self.queue = queue
        return AcceptedConfiguration(layout: layout, rate: rate, bufferCount: queue.count)
    }

    /// Writes controls in one request per 16, in this order.
    public func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        var place = 0
        for value in values {
            writer.put(place, id: value.control.rawValue, code: value.code)
            place += 1
            if place == ControlWriter.batchMaximum {
                let result = writer.send(place)
                if result < 0 { return result }
                place = 0
            }
        }
        return place == 0 ? 0 : writer.send(place)
    }

    /// Reads one control back; drivers may answer from a cache.
    public func read(_ control: CameraControl) -> Result<Int64, CameraError> {
        let isWide = wideControls.contains(control.rawValue)
        switch device.requestCode(control.rawValue, isWide: isWide) {
        case .success(let code): return .success(code)
        case .failure(let error):
            return .failure(device.failure(-error.code, "read the control \(control.name)"))
        }
    }

    /// Starts the stream, with all buffers queued.
    public func start() throws(CameraError) {
        guard let queue else {
            throw CameraError(.failed, "camera \(identity.id) was started before it was configured")
        }
        try queue.start()
    }

    /// Takes the oldest complete frame.
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
    public func stop() {
        queue?.stop()
        queue = nil
    }
}
