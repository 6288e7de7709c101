internal import Devices
internal import Glibc
internal import LinuxDevices
internal import Notation

/// The host as a run found it, for the manifest.
enum HostState {
    /// Kernel, machine and host name of `uname`, which rights for real time were granted or refused, and what the host
    /// says of itself.
    ///
    /// A memory lock or priority that was refused may explain a `host-stalled` hole later, so it stands in every
    /// manifest.
    static func json(_ grant: RealTimeGrant, _ facts: JSONObject) -> JSONValue {
        var names = utsname()
        uname(&names)
        var state: JSONObject = [
            "kernel": .string(text(&names.release)),
            "kernel_version": .string(text(&names.version)),
            "machine": .string(text(&names.machine)),
            "hostname": .string(text(&names.nodename)),
            "granted": .array(grant.granted.map { .string($0) }),
            "refused": .array(grant.refused.map { .string($0.what) }),
        ]
        for member in facts.members { state[member.name] = member.value }
        return .object(state)
    }

    /// The text of a C array of characters.
    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
