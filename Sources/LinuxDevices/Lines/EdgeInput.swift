internal import CGPIO
internal import Devices
internal import Glibc
internal import Timebase

/// One input line whose edges the kernel timestamps and keeps for us.
///
/// The kernel's own interface (uAPI v2, `GPIO_V2_GET_LINE_IOCTL`), not libgpiod, whose version 1 numbers no edges. Its
/// timestamps are CLOCK_MONOTONIC, taken in the interrupt.
///
/// Edges are taken in small batches; ``refill()`` and ``take()`` allocate and lock nothing.
final class EdgeInput {
    /// The most that the kernel keeps for one request (uAPI v2): longer stalls lose the oldest, which shows as a gap.
    static let eventBufferSize: UInt32 = 1024
    /// Edges in one `read`: as many as the buffer in C has room for.
    private static let batch: Int32 = 16

    /// Becomes readable when edges wait.
    let descriptor: Int32

    /// The batch, at an address that stays, so that the capture thread neither allocates nor copies an array.
    private let edges: UnsafeMutablePointer<fl_gpio_edge>
    /// Edges in the batch, and how many of them are taken.
    private let filled: UnsafeMutablePointer<Int32>
    private let taken: UnsafeMutablePointer<Int32>

    /// Claims the line.
    ///
    /// - Parameters:
    ///   - path: the chip's device file, which is closed again at once: the line has a descriptor of its own.
    ///   - offset: the line's number on the chip.
    ///   - request: edges, bias, level and debounce; a fraction of a microsecond of debounce is cut off.
    ///   - consumer: the name that the kernel shows for the line, cut off after 31 bytes.
    /// - Throws: ``KernelError``, which the caller puts into words: EBUSY for a line that is claimed, EINVAL or
    ///   EOPNOTSUPP for what the chip can't do.
    convenience init(
        path: String, offset: Int, request: LineRequest, consumer: String
    ) throws(KernelError) {
        var input = fl_gpio_input()
        input.offset = UInt32(offset)
        input.edges = EdgeInput.edges(request.edge)
        input.bias = EdgeInput.bias(request.bias)
        input.is_active_low = request.isActiveLow ? 1 : 0
        input.debounce_us = UInt32(clamping: request.debounce.nanoseconds / 1_000)
        input.event_buffer_size = EdgeInput.eventBufferSize
        let result = fl_gpio_input_open(path, &input, consumer)
        if let error = KernelError(result: result) { throw error }
        self.init(descriptor: result)
    }

    /// Takes over a descriptor that gives the kernel's records of edges, and closes it at the end.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        edges = .allocate(capacity: Int(EdgeInput.batch))
        edges.initialize(repeating: fl_gpio_edge(), count: Int(EdgeInput.batch))
        filled = .allocate(capacity: 1)
        filled.initialize(to: 0)
        taken = .allocate(capacity: 1)
        taken.initialize(to: 0)
    }

    deinit {
        _ = close(descriptor)
        edges.deallocate()
        filled.deallocate()
        taken.deallocate()
    }

    /// Whether an edge waits; asks the kernel once the batch is used up.
    ///
    /// An error of the kernel counts as "none": a chip that is gone shows when its descriptor is polled.
    @_noLocks
    func refill() -> Bool {
        if taken.pointee < filled.pointee { return true }
        let count = fl_gpio_input_read(descriptor, edges, EdgeInput.batch)
        filled.pointee = count > 0 ? count : 0
        taken.pointee = 0
        return count > 0
    }

    /// The timestamp of the oldest edge; only after ``refill()`` returned true.
    @_noLocks
    func headNanoseconds() -> UInt64 { edges[Int(taken.pointee)].timestamp_ns }

    /// Takes the oldest edge; only after ``refill()`` returned true.
    @_noLocks
    func take() -> fl_gpio_edge {
        let edge = edges[Int(taken.pointee)]
        taken.pointee += 1
        return edge
    }

    /// The edges to report as the C side counts them; active-low is applied by the kernel.
    private static func edges(_ edge: LineRequest.Edge) -> Int32 {
        switch edge {
        case .rising: Int32(FL_EDGE_RISING)
        case .falling: Int32(FL_EDGE_FALLING)
        case .both: Int32(FL_EDGE_RISING | FL_EDGE_FALLING)
        }
    }

    /// The bias as the C side numbers it; `as_is` sends no flag, which leaves the line's bias as it was.
    private static func bias(_ bias: LineRequest.Bias) -> Int32 {
        switch bias {
        case .asIs: Int32(FL_BIAS_AS_IS)
        case .disabled: Int32(FL_BIAS_DISABLED)
        case .pullUp: Int32(FL_BIAS_PULL_UP)
        case .pullDown: Int32(FL_BIAS_PULL_DOWN)
        }
    }
}
