internal import CRealTime
internal import Devices
internal import Glibc
internal import Timebase

/// A PTP hardware clock: the clock in a network interface that a PTP daemon disciplines.
///
/// Read by the best way that its driver and kernel offer, found at the first reading: latched by the hardware together
/// with a host clock; as sandwiches by its driver, around the register itself; as sandwiches by the kernel; as a clock
/// among others.
final class PTPClock {
    /// A way to read the clock, the best one first.
    ///
    /// In this order PTP_SYS_OFFSET_PRECISE, PTP_SYS_OFFSET_EXTENDED with CLOCK_MONOTONIC (kernels since 6.12), the
    /// same with CLOCK_REALTIME, PTP_SYS_OFFSET, and clock_gettime(2) on the descriptor
    /// (Documentation/driver-api/ptp.rst).
    enum Way: Int, CaseIterable {
        case precise, extendedMonotonic, extended, offset, clock
    }

    /// The open device file, which is only read.
    private let descriptor: Int32
    private let source: ClockSource
    /// The way that worked first, which is kept, since another one would have another error; nil before that.
    private(set) var way: Way?

    /// Opens the clock of a request.
    ///
    /// - Parameters:
    ///   - request: the clock by its device file, or by a network interface that has it.
    ///   - source: what samples call it.
    ///   - tree: where interfaces and devices are looked up.
    /// - Throws: ``DeviceError`` if it is not there, may not be read or is none.
    init(_ request: ClockRequest, as source: ClockSource, tree: SystemTree) throws(DeviceError) {
        self.source = source
        let path = try Self.path(request, tree)
        descriptor = fl_ptp_open(path)
        guard descriptor >= 0 else { throw Self.failure(request, path, -descriptor) }
        // A file that is no clock opens as well, and answers nothing.
        guard read() != nil else {
            throw DeviceError(
                .failed,
                "clock `\(request.name)`: \(path) does not answer as a PTP hardware clock:"
                    + " `ls /sys/class/ptp` lists those of this machine")
        }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Reads the clock; nil if it is gone, or the host's clock was stepped meanwhile.
    func read() -> ClockSample? {
        if let way { return read(by: way) }
        for way in Way.allCases {
            if let sample = read(by: way) {
                self.way = way
                return sample
            }
        }
        return nil
    }

    /// Reads the clock in one way; nil where driver or kernel does not offer it.
    private func read(by way: Way) -> ClockSample? {
        switch way {
        case .precise:
            relate(.monotonicRaw) { _ in precise() }
        case .extendedMonotonic:
            relate(.monotonic) { host in
                sandwiches(host) { fl_ptp_extended(descriptor, $0, CLOCK_MONOTONIC, $1) }
            }
        case .extended:
            relate(.realtime) { host in
                sandwiches(host) { fl_ptp_extended(descriptor, $0, CLOCK_REALTIME, $1) }
            }
        case .offset:
            relate(.realtime) { host in sandwiches(host) { fl_ptp_offset(descriptor, $0, $1) } }
        case .clock:
            KernelClock.sandwich(source, number: fl_ptp_clock(descriptor))
        }
    }

    /// Makes a request between two sandwiches of the host's clock that it uses.
    ///
    /// - Parameters:
    ///   - host: the host's clock that the request is made with; the monotonic one needs no sandwiches.
    ///   - request: makes it; nil if it failed.
    private func relate(
        _ host: PTPReading.HostClock, _ request: (PTPReading.HostClock) -> PTPReading?
    ) -> ClockSample? {
        let first = host.source.flatMap { KernelClock.sandwich($0) }
        guard let reading = request(host) else { return nil }
        let second = host.source.flatMap { KernelClock.sandwich($0) }
        return reading.sample(
            source, first: first, second: second, resolution: KernelClock.resolution)
    }

    /// Both clocks latched by the hardware at one moment, the host's as CLOCK_MONOTONIC_RAW; rare on single-board
    /// computers.
    private func precise() -> PTPReading? {
        var times = [Int64](repeating: 0, count: 3)
        guard fl_ptp_precise(descriptor, &times) == 0 else { return nil }
        return .simultaneous(.monotonicRaw, host: times[2], clock: times[0])
    }

    /// Several sandwiches by one request, of which the narrowest is kept.
    ///
    /// - Parameter ask: makes so many sandwiches, three times each in nanoseconds; returns how many, or a negative
    ///   errno.
    private func sandwiches(
        _ host: PTPReading.HostClock, _ ask: (Int32, UnsafeMutablePointer<Int64>) -> Int32
    ) -> PTPReading? {
        let count = KernelClock.sandwichReadings
        var times = [Int64](repeating: 0, count: 3 * count)
        let made = times.withUnsafeMutableBufferPointer { times in
            times.baseAddress.map { ask(Int32(count), $0) } ?? -EFAULT
        }
        guard made > 0 else { return nil }
        return .narrowest(times.prefix(3 * Int(made)), host: host)
    }

    /// The device file of a request: as it is named, or the first clock of the network interface (`device/ptp` in
    /// sysfs).
    private static func path(
        _ request: ClockRequest, _ tree: SystemTree
    ) throws(DeviceError) -> String {
        switch request.place {
        case .device(let path): return tree.path(path)
        case .interface(let interface):
            let clocks = tree.names(in: "/sys/class/net/\(interface)/device/ptp")
            if let clock = clocks.first(where: { $0.hasPrefix("ptp") }) {
                return tree.path("/dev/\(clock)")
            }
            let interfaces = tree.names(in: "/sys/class/net")
            let isThere = interfaces.contains(interface)
            throw DeviceError(
                .notFound,
                "clock `\(request.name)`: "
                    + (isThere
                        ? "the network interface `\(interface)` has no PTP hardware clock"
                        : "there is no network interface `\(interface)`; there are "
                            + interfaces.joined(separator: ", ")))
        }
    }

    /// Why a device file could not be opened, and what to do about it.
    ///
    /// - Parameter code: the positive errno.
    private static func failure(
        _ request: ClockRequest, _ path: String, _ code: Int32
    ) -> DeviceError {
        let name = "clock `\(request.name)`"
        switch code {
        case ENOENT, ENODEV, ENXIO:
            return DeviceError(
                .notFound,
                "\(name): there is no \(path): this machine has no such PTP hardware clock, or its"
                    + " driver is not loaded; `ls /sys/class/ptp` lists those it has")
        case EACCES, EPERM:
            return DeviceError(
                .permission,
                "\(name): \(path) may not be opened: a udev rule gives it to a group (SUBSYSTEM==\""
                    + "ptp\", GROUP=\"framelock\", MODE=\"0640\")")
        default:
            return DeviceError(.failed, "\(name): \(path): \(KernelError(code: code))")
        }
    }
}
