public import Devices
public import Notation
public import Recipes
public import Timebase

/// Everything that is known of a run when it starts, for its manifest.
public struct RunDescription: Sendable {
    /// The version of framelock, for example `0.1.0`.
    public var version: String
    /// The exact bytes of the recipe.
    public var recipe: [UInt8]
    /// The recipe's parameters with the values of this run.
    public var parameters: [RecipeParameter]
    /// The compiled plan.
    public var plan: Plan
    /// The camera that was found.
    public var camera: CameraIdentity
    /// What it agreed to.
    public var accepted: AcceptedConfiguration
    /// The zero of session time.
    public var epoch: Instant<Monotonic>
    /// How realtime reads at the start, for people: nothing is computed from it.
    public var realtime: ClockRelation<Monotonic, Realtime>
    /// The host's state: kernel, name, real-time grants.
    public var host: JSONValue
    /// The part of it that may change during the run, asked for when the run ends; nil where there is none.
    public var hostAtEnd: (@Sendable () -> JSONValue)?
    /// How the metering before the run ended; nil where nothing was metered.
    public var metering: JSONValue?
    /// How far the host's clocks advance at a time at most.
    public var clockResolution = ClockResolution.nanosecond
    /// Which thermometer is read during the run; nil where there is none.
    public var thermometer: String?

    /// Creates a description.
    public init(
        version: String, recipe: [UInt8], parameters: [RecipeParameter], plan: Plan,
        camera: CameraIdentity, accepted: AcceptedConfiguration, epoch: Instant<Monotonic>,
        realtime: ClockRelation<Monotonic, Realtime>, host: JSONValue,
        metering: JSONValue? = nil
    ) {
        self.version = version
        self.recipe = recipe
        self.parameters = parameters
        self.plan = plan
        self.camera = camera
        self.accepted = accepted
        self.epoch = epoch
        self.realtime = realtime
        self.host = host
        self.metering = metering
    }
}

extension Plan {
    /// Writes `plan.json`: the canonical JSON and a line end.
    ///
    /// Canonical, so that two machines that compile the same recipe come to the same bytes.
    ///
    /// - Parameter take: gets the bytes in order, some kilobytes at a time.
    func writeFile(_ take: ([UInt8]) throws(StorageError) -> Void) throws(StorageError) {
        try write(take)
        try take([UInt8(ascii: "\n")])
    }

    /// The plan's hash: the SHA-256 of `plan.json`, so that `sha256sum` shows the same.
    public var digest: FileDigest {
        var hash = SHA256()
        write { bytes in bytes.withUnsafeBytes { hash.update($0) } }
        [UInt8(ascii: "\n")].withUnsafeBytes { hash.update($0) }
        return FileDigest(bytes: hash.finalize())
    }
}
