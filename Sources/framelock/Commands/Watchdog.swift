internal import Engine
internal import Glibc

/// Tells systemd that the program runs (`sd_notify`), where it asks for that by `NOTIFY_SOCKET`.
///
/// It is fed for as long as the capture thread goes round, and not because the thread that feeds it does. Ending the
/// record may take minutes on a slow disk, and is waited for.
struct Watchdog {
    /// The socket that systemd named in the environment; nil outside of a service, and then nothing is sent.
    private let path: String?
    /// The capture loop's turns when it was last fed; −1 before the first time.
    private var turnsSeen: Int64 = -1

    init() {
        path = getenv("NOTIFY_SOCKET").map { String(cString: $0) }
    }

    /// The run is about to begin; with `Type=notify` systemd counts the service as started from here.
    func ready() { send("READY=1") }
    /// Says that the run is alive, if the capture loop went on since the last time or is over.
    ///
    /// Called twenty times a second. The loop turns once a second at least, so a `WatchdogSec` of some seconds catches
    /// a loop that hangs and nothing else; `deploy/systemd` has 30.
    mutating func feed(_ progress: RunProgress) {
        let turns = progress.turns
        guard turns != turnsSeen || progress.isCaptured else { return }
        turnsSeen = turns
        send("WATCHDOG=1")
    }

    /// Sends a datagram to the socket; a leading `@` names one in the abstract name space.
    private func send(_ message: String) {
        guard let path else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = MemoryLayout<sa_family_t>.size + name.count
        let bytes = Array(message.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0,
                    socklen_t(length))
            }
        }
    }
}
