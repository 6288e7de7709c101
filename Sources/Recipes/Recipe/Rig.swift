public import Devices
public import Notation
public import Timebase

/// One machine: its cameras, lines and clocks, by the names that recipes ask for.
///
/// Recipes travel, rigs stay: what differs from machine to machine is here, and a run is refused unless the recipe's
/// needs are met by it.
public struct Rig: Sendable {
    /// A camera of the rig.
    public struct Camera: Equatable, Sendable {
        /// The name that recipes use.
        public var name: String
        /// The stable id of the device, as `framelock devices` prints it.
        public var id: String
        /// The camera profile; nil for the one that fits the driver.
        public var profile: Located<String>?
        /// The input of a device with several; nil for the selected one.
        public var input: String?
        /// Creates a camera.
        public init(
            name: String, id: String, profile: Located<String>?, input: String? = nil
        ) {
            self.name = name
            self.id = id
            self.profile = profile
            self.input = input
        }
    }

    /// The rig's name.
    public var name: String
    /// The file it was read from.
    public var source: SourceFile
    /// Its cameras, in the order of the file.
    public var cameras: [Camera]
    /// Its lines, in the order of the file; each with its wiring, which recipes may not contradict.
    public var lines: [LineRequest]
    /// Its PTP hardware clocks, in the order of the file.
    public var clocks: [ClockRequest] = []

    /// Creates a rig.
    public init(name: String, source: SourceFile, cameras: [Camera], lines: [LineRequest]) {
        self.name = name
        self.source = source
        self.cameras = cameras
        self.lines = lines
    }

    /// The camera that recipes call so; nil if there is none.
    package func camera(named name: String) -> Camera? { cameras.first { $0.name == name } }
}
