internal import CGPIO
public import Devices
internal import Glibc
internal import Timebase

/// The digital lines of one run, on the kernel's GPIO chips.
///
/// Edges carry CLOCK_MONOTONIC timestamps taken in the interrupt and the kernel's own count per line, so that lost
/// edges show.
public final class GPIOLines: LineDriver {
    /// By what name the lines are claimed; shown by `gpioinfo` and to whoever finds a line in use.
    public static let consumer = "framelock"

    private enum Claimed {
        case input(EdgeInput)
        case output(OpaquePointer)
    }

    private let discovery: LineDiscovery
    /// What was claimed, by the index of its request.
    private var claimed: [Claimed] = []
    /// Inputs and the index of their request, at fixed addresses for the capture thread.
    private var inputs: [(line: Int32, input: EdgeInput)] = []

    /// Creates a driver that holds no lines yet.
    public init(discovery: LineDiscovery = LineDiscovery()) {
        self.discovery = discovery
    }

    /// Creates a driver that holds inputs already, which are the first lines.
    init(inputs: [EdgeInput]) {
        discovery = LineDiscovery()
        self.inputs = inputs.enumerated().map { (Int32($0.offset), $0.element) }
        claimed = inputs.map { .input($0) }
    }

    deinit {
        close()
    }

    /// The version of libgpiod that chips are looked up and outputs are driven with.
    public static var libraryVersion: String { String(cString: fl_gpio_library_version()) }

    /// One descriptor for each input, in the order of the requests.
    public var pollDescriptors: [Int32] { inputs.map(\.input.descriptor) }

    /// Claims the lines, in this order; outputs start inactive.
    ///
    /// Chips are searched for again each time.
    ///
    /// - Throws: ``DeviceError``; lines that were claimed before it are given back. Two requests for one line of a chip
    ///   are `unsupported`: the kernel would refuse the second as in use, without saying that it is ours.
    public func open(_ requests: [LineRequest]) throws(DeviceError) {
        close()
        if requests.isEmpty { return }
        let chips = discovery.search()
        do throws(DeviceError) {
            var taken: [(path: String, offset: Int, name: String)] = []
            for (index, request) in requests.enumerated() {
                let place = try chips.locate(request)
                if let twin = taken.first(where: {
                    $0.path == place.path && $0.offset == place.offset
                }) {
                    throw DeviceError(
                        .unsupported,
                        "lines `\(twin.name)` and `\(request.name)` are the same line "
                            + "(\(request.chip), line \(place.offset))")
                }
                taken.append((place.path, place.offset, request.name))
                try claim(request, Int32(index), path: place.path, offset: place.offset, chips)
            }
        } catch {
            close()
            throw error
        }
    }

    /// Takes the oldest waiting edge of all inputs.
    ///
    /// Timestamps decide between inputs; each input's own edges come in the kernel's order.
    public func readEdge() -> LineEdge? {
        var oldest = -1
        var oldestNanoseconds = UInt64.max
        for index in inputs.indices {
            let input = inputs[index].input
            if input.refill(), input.headNanoseconds() < oldestNanoseconds {
                oldest = index
                oldestNanoseconds = input.headNanoseconds()
            }
        }
        guard oldest >= 0 else { return nil }
        let edge = inputs[oldest].input.take()
        return LineEdge(
            line: inputs[oldest].line, isRising: edge.is_rising != 0,
            timestamp: Instant(nanoseconds: Int64(edge.timestamp_ns)),
            lineSequence: edge.line_sequence)
    }

    /// Drives an output; false for an input, or if the kernel refused.
    public func set(line: Int32, active: Bool) -> Bool {
        guard claimed.indices.contains(Int(line)), case .output(let output) = claimed[Int(line)]
        else { return false }
        return fl_gpio_output_set(output, active ? 1 : 0) >= 0
    }

    /// Sets every output inactive and gives all lines back.
    ///
    /// Inactive first, because a line is given back as it is.
    public func close() {
        for case .output(let output) in claimed {
            _ = fl_gpio_output_set(output, 0)
            fl_gpio_output_close(output)
        }
        claimed = []
        inputs = []
    }

    /// Claims one line and files it under its request's index.
    private func claim(
        _ request: LineRequest, _ index: Int32, path: String, offset: Int,
        _ chips: LineDiscovery.Findings
    ) throws(DeviceError) {
        do throws(KernelError) {
            switch request.direction {
            case .input:
                let input = try EdgeInput(
                    path: path, offset: offset, request: request, consumer: GPIOLines.consumer)
                inputs.append((index, input))
                claimed.append(.input(input))
            case .output:
                var output: OpaquePointer?
                let result = fl_gpio_output_open(
                    path, UInt32(offset), request.isActiveLow ? 1 : 0, GPIOLines.consumer, &output)
                guard let output else { throw KernelError(code: -result) }
                claimed.append(.output(output))
            }
        } catch {
            throw refusal(request, path, offset, error, chips)
        }
    }

    /// The message for a line that was refused: who has it, as the search before saw it, or which options the chip may
    /// lack.
    private func refusal(
        _ request: LineRequest, _ path: String, _ offset: Int, _ error: KernelError,
        _ chips: LineDiscovery.Findings
    ) -> DeviceError {
        let action = "claim line `\(request.name)` (\(request.chip), line \(offset))"
        var failure = GPIOChip.failure(path, action, -error.code)
        if error.code == EBUSY {
            let consumer = chips.chips.first { $0.path == path }?.lines[offset].consumer ?? ""
            let owner = consumer.isEmpty ? "another program" : "`\(consumer)`"
            failure.message = "could not \(action): it is in use by \(owner)"
        } else if failure.kind == .unsupported, request.direction == .input {
            failure.message +=
                "; the chip can't do one of: edge \(request.edge.rawValue), bias "
                + "\(request.bias.rawValue), debounce \(request.debounce)"
        }
        return failure
    }
}
