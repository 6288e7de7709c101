package import Devices
internal import Glibc
internal import Logging
internal import Notation
internal import Recipes
internal import Simulation

/// Finds camera profiles, and descriptions of receivers beside them: the simulated camera's are built in, others are
/// files.
package struct ProfileLibrary {
    /// Folders that are searched, first one first.
    package let folders: [String]

    /// A library with a folder that somebody names, then the usual ones.
    ///
    /// - Throws: ``Failure`` with exit code 64 if there is no such folder: others would be searched in its place.
    package init(folder: String?) throws {
        if let folder { try TextFile.requireFolder(folder, of: "--profiles") }
        self.init(first: folder)
    }

    /// A library with the usual folders.
    package init() {
        self.init(first: nil)
    }

    private init(first folder: String?) {
        let environment = getenv("FRAMELOCK_PROFILES").map { String(cString: $0) }
        folders =
            [folder, environment].compactMap { $0 }
            + [
                "/etc/framelock/cameras", Self.besideProgram, "/usr/local/share/framelock/cameras",
                "/usr/share/framelock/cameras", "hardware/cameras",
            ]
    }

    /// Where `deploy/install` puts profiles, seen from the program: other prefixes than the usual work too.
    private static var besideProgram: String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        let path = String(decoding: bytes, as: UTF8.self)
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return folder.joined(separator: "/") + "/share/framelock/cameras"
    }

    /// The file of a profile, by its name or path; nil if there is none.
    package func path(ofProfile name: String) -> String? {
        let isPath = name.contains("/")
        return (isPath ? [name] : folders.map { "\($0)/\(name).yaml" }).first(
            where: TextFile.exists)
    }

    /// The profile of a name.
    ///
    /// - Throws: ``Failure`` listing where it was looked for; a `DiagnosticList` shown if the file is not a profile.
    package func profile(named name: String) throws -> CameraProfile {
        if let profile = CameraBackend.builtInProfiles.first(where: { $0.name == name }) {
            return profile
        }
        if let path = path(ofProfile: name) {
            let source = try TextFile.read(path)
            do {
                return try CameraProfileDecoder.decode(source)
            } catch {
                throw Failure.recipe(DiagnosticRenderer(sources: [source]).render(error))
            }
        }
        throw Failure.recipe(missing(name))
    }

    /// Refuses a profile that the command line names, where nobody has it.
    ///
    /// - Throws: ``Failure`` with exit code 64, listing where it was looked for.
    package func require(_ name: String) throws {
        if !has(name) { throw Failure.usage("--profile: \(missing(name))") }
    }

    /// Whether there is a profile of a name.
    func has(_ name: String) -> Bool {
        path(ofProfile: name) != nil
            || CameraBackend.builtInProfiles.contains { $0.name == name }
    }

    /// What to say of a profile that a recipe names and nobody has.
    func unknown(_ name: String, at range: SourceRange, in file: String) -> DiagnosticList {
        DiagnosticList([
            Diagnostic(
                "unknown-profile", at: range, in: file,
                absence(of: name), hint: Self.remedy)
        ])
    }

    private func absence(of name: String) -> String {
        "there is no camera profile `\(name)`; looked in \(places)"
    }

    private func missing(_ name: String) -> String {
        "\(absence(of: name)); \(Self.remedy)"
    }

    /// The profile for a device that is there.
    ///
    /// - Parameter name: the profile that somebody asks for; nil for the one that fits best.
    /// - Throws: ``Failure`` if that profile is not for a sensor such as the device has.
    package func profile(named name: String?, for identity: CameraIdentity) throws -> CameraProfile
    {
        guard let name else { return try profile(for: identity) }
        let profile = try profile(named: name)
        if CameraBackend(identity).isBuiltIn { return profile }
        if let driver = profile.driver, driver != identity.driver {
            throw Failure.recipe(
                "camera profile `\(name)` is for cameras of the driver \(driver), and \(identity.id) has"
                    + " \(identity.driver): leave `profile` out, and the one that fits is taken")
        }
        guard let sensors = profile.sensors else { return profile }
        guard let sensor = identity.sensor else {
            throw Failure.recipe(
                "camera profile `\(name)` is for a raw sensor, and \(identity.id) is none (driver"
                    + " \(identity.driver)): leave `profile` out, and the one that fits is taken")
        }
        guard sensors.contains(sensor) else {
            throw Failure.recipe(
                "camera profile `\(name)` is for \(sensors.joined(separator: ", ")), and \(identity.id) is \(sensor):"
                    + " gains and exposures would be others than it has. Leave `profile` out, and the one that"
                    + " fits is taken; if it does fit, add \(sensor) to its `sensors`")
        }
        return profile
    }

    /// The profile that fits a device best when nobody names one: that of its sensor, the generic one of its driver, or
    /// one without controls.
    ///
    /// - Parameter warns: whether to warn that there is none, and where it was looked for.
    package func profile(for identity: CameraIdentity, warns: Bool = true) throws -> CameraProfile {
        if let own = CameraBackend(identity).ownProfile { return own }
        let candidates = Self.names(for: identity)
        for name in candidates
        where folders.contains(where: { TextFile.exists("\($0)/\(name).yaml") }) {
            return try profile(named: name)
        }
        if warns { Log.framelock.warning("\(missing(identity))") }
        return .unknown
    }

    /// The names of profiles that fit a device, the best first: its sensor's, then its driver's (`generic-uvc` for
    /// uvcvideo).
    private static func names(for identity: CameraIdentity) -> [String] {
        let own = identity.driver == "uvcvideo" ? "generic-uvc" : identity.driver
        return [identity.sensor, own].compactMap { $0 }
    }

    /// What it means that a camera has no profile, where one was looked for, and what to do.
    func missing(_ identity: CameraIdentity) -> String {
        let files = Self.names(for: identity).map { "\($0).yaml" }.joined(separator: " or ")
        return
            "no camera profile was found for \(identity.id): its latencies and its gain are not known,"
            + " and none of its settings can be locked; looked for \(files) in \(places);"
            + " \(Self.remedy), or a profile with --profile"
    }

    /// The folders that were searched, as messages name them.
    private var places: String {
        folders.map { $0.hasPrefix("/") ? $0 : "\($0) (from the working directory)" }
            .joined(separator: ", ")
    }

    /// What ends every message about a profile that was not found.
    private static let remedy =
        "name the folder that has it with --profiles or the variable FRAMELOCK_PROFILES"
}
