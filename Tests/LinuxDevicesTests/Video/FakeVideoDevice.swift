import CVideo
import Glibc

/// A V4L2 driver played by the test: it answers requests as the kernel does, and remembers them.
///
/// Request numbers are those of the 64-bit ABI, written out: they must not come from the code under test.
final class FakeVideoDevice {
    enum Request {
        static let querycap: UInt = 0x8068_5600
        static let enumFormat: UInt = 0xc040_5602
        static let getFormat: UInt = 0xc0d0_5604
        static let setFormat: UInt = 0xc0d0_5605
        static let tryFormat: UInt = 0xc0d0_5640
        static let requestBuffers: UInt = 0xc014_5608
        static let queryBuffer: UInt = 0xc058_5609
        static let queueBuffer: UInt = 0xc058_560f
        static let dequeueBuffer: UInt = 0xc058_5611
        static let streamOn: UInt = 0x4004_5612
        static let streamOff: UInt = 0x4004_5613
        static let getParameters: UInt = 0xc0cc_5615
        static let setParameters: UInt = 0xc0cc_5616
        static let enumInput: UInt = 0xc050_561a
        static let getInput: UInt = 0x8004_5626
        static let setInput: UInt = 0xc004_5627
        static let setPriority: UInt = 0x4004_5644
        static let getControls: UInt = 0xc020_5647
        static let setControls: UInt = 0xc020_5648
        static let enumSizes: UInt = 0xc02c_564a
        static let enumIntervals: UInt = 0xc034_564b
        static let setTimings: UInt = 0xc084_5657
        static let getTimings: UInt = 0xc084_5658
        static let enumTimings: UInt = 0xc094_5662
        static let queryTimings: UInt = 0x8084_5663
        static let getSelection: UInt = 0xc040_565e
        static let setSelection: UInt = 0xc040_565f
        static let queryControl: UInt = 0xc0e8_5667
        static let dequeueEvent: UInt = 0x8088_5659
        static let subscribeEvent: UInt = 0x4020_565a
    }

    struct Size {
        var width: UInt32
        var height: UInt32
    }

    struct Frame {
        var sequence: UInt32
        var seconds: Int
        var microseconds: Int
        var bytes: UInt32
        var flags: UInt32 = 0x2000
    }

    typealias Control = FakeControls.Control

    var driver = "fakevideo"
    var card = "Fake camera"
    var bus = "platform:fake-0"
    /// Video capture, streaming.
    var capabilities: UInt32 = 0x0400_0001
    var formats: [(code: UInt32, sizes: [Size])] = []
    /// Added to every row.
    var rowPadding: UInt32 = 0
    /// What S_FMT answers as sizeimage; nil for what fits.
    var imageBytes: UInt32?
    var field: UInt32 = 1
    /// What S_PARM makes of any request, numerator and denominator; nil keeps what is asked.
    var forcedInterval: (UInt32, UInt32)?
    var hasRates = true
    /// Codes that it lists and does not know when they are set.
    var listedOnly: Set<UInt32> = []
    /// Whether it takes any size, as a receiver does, and names a range of them.
    var takesAnySize = false
    var bufferFlags: UInt32 = 0x2000
    var bufferCountLimit: UInt32 = 32
    var frames: [Frame] = []
    var dataOffset: UInt32 = 0
    /// The controls of the capture node.
    let node = FakeControls(journal: FakeControls.Journal())
    var controls: [Control] {
        get { node.controls }
        set { node.controls = newValue }
    }
    /// Controls of the parts behind it, by the name of their device file.
    var parts: [String: FakeControls] = [:]
    var inputs: [(name: String, hasTimings: Bool)] = []
    var timings: [v4l2_dv_timings] = []
    /// What the source sends; nil for no signal.
    var sourceTimings: v4l2_dv_timings?
    /// Whether the source follows the timings that are set, as vivid does.
    var sourceFollows = false
    /// The image that regions are cut from; nil for a device that can't crop.
    var image: v4l2_rect?
    /// Whether setting the format sets the region back to the whole image.
    var losesCropWithFormat = false
    /// Regions start at multiples of it.
    var cropGrain: Int32 = 1
    /// The media graph beside it; nil for a device without.
    var graph: FakeMediaGraph?
    /// What fails, and with which errno; a request that is not here succeeds.
    var failures: [UInt: Int32] = [:]
    /// How many times each request fails with EINTR before it is answered.
    var interruptions: [UInt: Int] = [:]

    var requests: [UInt] = []
    var queued: [UInt32] = []
    var isStreaming = false
    /// What was written to the node, call by call.
    var writes: [[(id: UInt32, value: Int64)]] {
        node.journal.calls.filter { $0.file.isEmpty }.map(\.values)
    }
    /// Priorities that were claimed: 2 is everybody's, 3 that of who records.
    var priorities: [UInt32] = []
    var format = v4l2_format()
    var selectedInput: Int32 = 0
    var currentTimings = v4l2_dv_timings()
    var crop = v4l2_rect()
    var interval = v4l2_fract(numerator: 1, denominator: 30)
    var imageBytesSet: UInt32 = 0

    static let pageBytes: UInt32 = 4096
    var isMultiplanar: Bool { capabilities & 0x1000 != 0 }

    /// Runs `body` on this thread with the device in the kernel's place.
    ///
    /// Needs a debug build: release builds have no hook.
    func attached<Result>(_ body: () throws -> Result) rethrows -> Result {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let installed = fl_set_ioctl_hook(
            { context, descriptor, request, argument in
                guard let context else { return -1 }
                let device = Unmanaged<FakeVideoDevice>.fromOpaque(context).takeUnretainedValue()
                let code = device.answer(descriptor, request, argument)
                if code == 0 { return 0 }
                errno = code
                return -1
            }, context)
        precondition(installed == 1, "tests of the device need a debug build")
        defer { fl_set_ioctl_hook(nil, nil) }
        return try body()
    }

    /// The bytes between the buffers of one queue, as a whole number of pages.
    var bufferStride: UInt32 {
        (imageBytesSet + FakeVideoDevice.pageBytes - 1) / FakeVideoDevice.pageBytes
            * FakeVideoDevice.pageBytes
    }

    private func answer(
        _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
    ) -> Int32 {
        if let answer = graph?.answer(descriptor, request, argument) { return answer }
        if !parts.isEmpty, let part = parts[fileName(of: descriptor)] {
            return part.answer(request, argument)
        }
        requests.append(request)
        if let left = interruptions[request], left > 0 {
            interruptions[request] = left - 1
            return EINTR
        }
        if let failure = failures[request] { return failure }
        switch request {
        case Request.querycap: return queryCapability(argument)
        case Request.enumFormat, Request.enumSizes, Request.enumIntervals,
            Request.getFormat, Request.setFormat, Request.tryFormat, Request.getParameters,
            Request.setParameters:
            return answerFormat(request, argument)
        case Request.enumInput, Request.getInput, Request.setInput, Request.enumTimings,
            Request.queryTimings, Request.getTimings, Request.setTimings:
            return answerInput(request, argument)
        case Request.queryControl, Request.getControls, Request.setControls,
            Request.subscribeEvent, Request.dequeueEvent:
            return node.answer(request, argument)
        case Request.getSelection, Request.setSelection: return answerSelection(request, argument)
        case Request.setPriority:
            priorities.append(argument.assumingMemoryBound(to: UInt32.self).pointee)
            return 0
        default: return answerBuffer(request, argument)
        }
    }

    private func queryCapability(_ argument: UnsafeMutableRawPointer) -> Int32 {
        let answer = argument.assumingMemoryBound(to: v4l2_capability.self)
        copyText(driver, to: &answer.pointee.driver)
        copyText(card, to: &answer.pointee.card)
        copyText(bus, to: &answer.pointee.bus_info)
        // The device as a whole can more than this node.
        answer.pointee.capabilities = capabilities | 0x8000_0000 | 0x2
        answer.pointee.device_caps = capabilities
        return 0
    }

    func copyText<Characters>(_ text: String, to characters: inout Characters) {
        withUnsafeMutableBytes(of: &characters) { bytes in
            for (place, byte) in text.utf8.enumerated() where place < bytes.count - 1 {
                bytes[place] = byte
            }
        }
    }
}
