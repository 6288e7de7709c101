internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Timebase

/// A run folder that can't be read as one because something is missing that nothing else makes sense without; or
/// something that it does not have was asked of it.
public struct UnreadableRun: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with which file, and what that may mean.
    public var message: String
    /// Whether the run can be read, and has not what was asked for.
    public var isRequest: Bool
    /// What `framelock` exits with: 64 for a request, 74 for a folder.
    public var exitCode: Int32 { isRequest ? 64 : 74 }

    init(_ message: String, isRequest: Bool = false) {
        self.message = message
        self.isRequest = isRequest
    }

    /// The message.
    public var description: String { message }
}

/// A run folder as it is read: manifest and plan.
///
/// Ledger, events and frames are read piece by piece.
struct RecordedRun {
    /// Whether a run came to its end.
    enum State: String {
        /// It still goes on, or was cut.
        case running
        /// It has ended, and its record is complete.
        case finalised
    }

    let folder: RunFolder
    let manifest: JSONValue
    let state: State
    let plan: Plan
    let names: RunNames
    let layout: ZarrLayout
    /// Time from slot to slot, as the frames' metadata has it; nil where it is not the same for all or not known.
    let period: Interval?

    /// Reads manifest and plan.
    init(_ folder: RunFolder) throws(UnreadableRun) {
        self.folder = folder
        manifest = try Self.json(folder.manifest, "run.json")
        guard manifest["framelock_run"]?.integerValue == Manifest.format else {
            throw UnreadableRun("\(folder.manifest) is no manifest of format \(Manifest.format)")
        }
        guard let state = manifest["state"]?.stringValue.flatMap({ State(rawValue: $0) }) else {
            throw UnreadableRun("\(folder.manifest) has no `state` (running or finalised)")
        }
        self.state = state
        let json = try Self.json(folder.plan, "plan.json")
        do {
            plan = try Plan(json: json)
        } catch {
            throw UnreadableRun("\(folder.plan) is no plan of this version of framelock: \(error)")
        }
        names = RunNames(plan)
        guard let layout = Self.layout(manifest["configuration"]) else {
            throw UnreadableRun(
                "\(folder.manifest) does not say what the frames are (`configuration`)")
        }
        self.layout = layout
        let rate =
            Self.rate(manifest["configuration"]?["rate"])
            ?? plan.camera.configuration.rate
        period = names.isUninterrupted ? rate?.period : nil
    }

    /// Whether frames were recorded with their pixels; a simulation may do without.
    var keepsPixels: Bool { manifest["container"]?["format"]?.stringValue != "none" }

    /// Slots of a plan that ends, as the manifest has it; nil for an endless one.
    var plannedSlots: Int64? { manifest["plan"]?["slots"]?.integerValue }

    /// The resolution of the host's clocks.
    var clockResolution: ClockResolution { ClockResolution(manifest) }

    /// What the camera's own clock counts in a second; nil if it has none.
    var cameraTicksPerSecond: Int64? {
        manifest["configuration"]?["camera_ticks_per_second"]?.integerValue
    }

    private static func json(_ path: String, _ name: String) throws(UnreadableRun) -> JSONValue {
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.read(path)
        } catch {
            throw UnreadableRun("\(error); is this the folder of a run?")
        }
        do {
            return try JSONReader.read(bytes, name: path)
        } catch {
            throw UnreadableRun(error.diagnostics.first?.description ?? "\(name) is not JSON")
        }
    }

    private static func layout(_ json: JSONValue?) -> ZarrLayout? {
        guard let pixels = json?["pixels"]?.stringValue.flatMap({ PixelFormat.named($0) }),
            let width = json?["width"]?.integerValue, let height = json?["height"]?.integerValue,
            let size = FrameSize(width: Int(width), height: Int(height))
        else { return nil }
        return ZarrLayout(pixelFormat: pixels, size: size)
    }

    private static func rate(_ json: JSONValue?) -> FrameRate? {
        guard let frames = json?["frames"]?.integerValue,
            let seconds = json?["seconds"]?.integerValue
        else { return nil }
        return FrameRate(frames: frames, seconds: seconds)
    }
}
