import BenchCameraModel
import Glibc

/// The cable: a port of the kernel's virtual host controller, and our end of the socket it reads from.
struct VirtualPort: ~Copyable {
    static let controller = "/sys/devices/platform/vhci_hcd.0"
    /// `VDEV_ST_NULL` and `VDEV_ST_USED` of the kernel's usbip_common.h.
    private static let freeState = "004"
    private static let usedState = "006"

    let socket: Int32
    let number: Int

    /// Plugs the camera into the first free port of its speed.
    init(speed: BusSpeed) throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else {
            throw SystemFailure("cannot make a socket pair")
        }
        // The kernel keeps its end by itself; ours has to be the only one left, so that closing it unplugs.
        defer { close(ends[1]) }
        do {
            number = try Self.attach(ends[1], speed)
        } catch {
            close(ends[0])
            throw error
        }
        socket = ends[0]
        // A whole burst fits the buffer: fewer changes between camera and kernel.
        var size: Int32 = 4 << 20
        setsockopt(socket, SOL_SOCKET, SO_SNDBUFFORCE, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(socket) }

    private static func attach(_ end: Int32, _ speed: BusSpeed) throws(SystemFailure) -> Int {
        let candidates = ports().filter { $0.hub == hub(speed) && $0.state == freeState }
        guard !candidates.isEmpty else {
            throw SystemFailure(
                "no free \(speed.rawValue)-speed port in \(controller) (is vhci-hcd loaded?)",
                code: ENODEV)
        }
        var last: SystemFailure?
        for port in candidates {
            do {
                let text = "\(port.number) \(end) \(0x10002 + port.number) \(speed.kernelNumber)"
                try SystemFile.write(text, to: controller + "/attach")
                return port.number
            } catch {
                // Another camera may have been quicker: try the next port.
                guard error.code == EBUSY else { throw error }
                last = error
            }
        }
        throw last ?? SystemFailure("no port accepted the camera", code: EBUSY)
    }

    /// The video node of the camera, once there is one to open.
    func videoNode() -> String? {
        guard
            let port = Self.ports().first(where: { $0.number == number }),
            port.state == Self.usedState
        else { return nil }
        let folder = "/sys/bus/usb/devices/\(port.device):1.0/video4linux"
        let name = SystemFile.names(in: folder).first { name in
            SystemFile.read("\(folder)/\(name)/index")?.first == "0"
        }
        guard let name, access("/dev/" + name, R_OK | W_OK) == 0 else { return nil }
        return "/dev/" + name
    }

    /// Whether the kernel has let go of the camera.
    static func isFree(_ number: Int) -> Bool {
        ports().first { $0.number == number }.map { $0.state == freeState } ?? true
    }

    private struct Line {
        let hub: Substring
        let number: Int
        let state: Substring
        let device: Substring
    }

    private static func hub(_ speed: BusSpeed) -> String { speed == .super ? "ss" : "hs" }

    /// The port table: `hub port sta spd dev sockfd local_busid`.
    private static func ports() -> [Line] {
        let text = SystemFile.read(controller + "/status") ?? ""
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count == 7, let number = Int(fields[1]) else { return nil }
            return Line(hub: fields[0], number: number, state: fields[2], device: fields[6])
        }
    }
}
