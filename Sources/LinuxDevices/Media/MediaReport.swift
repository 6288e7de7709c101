public import Devices
internal import Glibc
public import Notation

/// Every media device of a machine as one JSON value, so that what fails there can be looked at elsewhere.
public struct MediaReport: Hashable, Sendable {
    /// The kernel's release and the machine's kind, as `uname` reports them.
    public var kernel: String
    /// The kind of processor.
    public var machine: String
    /// What the device tree calls the board; empty where there is none.
    public var board: String
    /// Each media device with all that it reports of itself.
    var devices: [MediaSnapshot]

    init(kernel: String, machine: String, board: String, devices: [MediaSnapshot]) {
        self.kernel = kernel
        self.machine = machine
        self.board = board
        self.devices = devices
    }

    /// Asks every media device below a root.
    ///
    /// Nothing is changed on any device; sub-devices are opened, so rights for them are needed.
    ///
    /// - Parameter problems: takes what could not be asked.
    public init(root: String = "/", problems: inout [DeviceError]) {
        let tree = SystemTree(root: root)
        var names = utsname()
        uname(&names)
        kernel = fixedText(names.release)
        machine = fixedText(names.machine)
        board =
            tree.line("/proc/device-tree/model").map {
                String($0.prefix { $0 != "\0" })
            } ?? ""
        devices = []
        for name in tree.names(in: "/dev") where name.hasPrefix("media") {
            do throws(DeviceError) {
                let graph = try MediaGraph(path: tree.path("/dev/\(name)"), tree: tree)
                devices.append(try graph.snapshot(.report))
            } catch {
                problems.append(error)
            }
        }
    }

    /// The report.
    public var json: JSONValue {
        [
            "framelock_report": 1, "kernel": .string(kernel), "machine": .string(machine),
            "board": .string(board), "media": .array(devices.map(\.json)),
        ]
    }

    /// Reads a report.
    ///
    /// - Throws: an error whose description names the member that is missing or wrong.
    public init(_ json: JSONValue) throws {
        let read = try ReportReader(json, at: "report")
        guard try read.number("framelock_report") == 1 else {
            throw ReportReader.Problem(description: "report.framelock_report is not 1")
        }
        kernel = try read.text("kernel")
        machine = try read.text("machine")
        board = try read.text("board")
        devices = []
        for (index, device) in (json["media"]?.arrayValue ?? []).enumerated() {
            devices.append(try MediaSnapshot(device, at: "report.media[\(index)]"))
        }
    }
}
