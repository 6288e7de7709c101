public import Devices
internal import Imaging
internal import LinuxDevices
public import LiveControl
package import Simulation
internal import Timebase

/// A camera that is open, with what is known of it.
public struct OpenCamera {
    /// The camera with its time; the session's alone once ``session()`` was called.
    package let world: any World
    /// What it offers, and how its controls stood when it was opened.
    public let device: CameraDescription
    /// What is known of it, as far as the camera goes along with it.
    public let profile: CameraProfile
    /// What it is to stream; nil if it has no format whose pixels are read.
    private let format: CaptureConfiguration?
    /// Ends the wait of a session's thread when a request comes; nil if the process has no descriptor left, and then a
    /// request may wait for the next frame.
    private let wakeUp: WakeUp?

    /// Opens a camera.
    ///
    /// - Throws: ``Failure`` if it is not there, in use, or has no such format; `DeviceError` if the kernel refuses.
    public init(_ request: CameraRequest) throws {
        try self.init(request, SimulationOptions(isRealTime: request.isRealTime))
    }

    /// - Parameter simulation: how a simulated camera behaves.
    package init(_ request: CameraRequest, _ simulation: SimulationOptions) throws {
        let id = try request.id ?? CameraBackend.onlyAttached()
        wakeUp = WakeUp()
        world = try CameraBackend(id: id)
            .open(id, WorldOptions(simulation: simulation, wakeUp: wakeUp))
        let described = try world.camera.describe()
        let library = try ProfileLibrary(folder: request.profiles)
        if let named = request.profile { try library.require(named) }
        let profile = try library.profile(named: request.profile, for: described.identity)
        device = described.delivered(by: profile)
        self.profile = profile.narrowed(to: device).pinned(on: device.selectedInput)
        format = try Self.format(of: device, by: profile, request)
    }

    /// The profile in the format that is set, for reading how the camera stands: lines of a raw sensor become time.
    package var presentProfile: CameraProfile {
        guard profile.sensor != nil, let present = device.selected,
            let pixels = present.pixelFormat
        else { return profile }
        let mode = CaptureConfiguration(pixelFormat: pixels, size: present.size)
        return (try? profile.timed(by: device, in: mode).adapted(to: mode)) ?? profile
    }

    /// The format that it streams.
    ///
    /// - Throws: ``Failure`` if it has none that can be read.
    package func streamed() throws -> CaptureConfiguration {
        guard let format else {
            throw Failure.unavailable(
                "camera \(device.identity.id) has no format whose pixels framelock reads")
        }
        return format
    }

    /// The pictures that a preview of it writes.
    ///
    /// - Throws: ``Failure`` for a factor outside 1…32 or a camera without a format that is read, `StorageError` if the
    ///   folder can't be made.
    package func pictures(_ options: PreviewOptions) throws -> PreviewPictures {
        let format = try streamed()
        return try PreviewPictures(options, format.pixelFormat, format.size, profile)
    }

    /// Starts to stream; the camera is the session's from then on.
    ///
    /// - Throws: ``Failure`` if no format can be streamed, `DeviceError` if the camera refuses.
    public consuming func session(
        _ options: CameraSession.Options = CameraSession.Options()
    ) throws -> CameraSession {
        let format = try streamed()
        let wakeUp = wakeUp
        // One thread at a time: nobody uses the world here any more.
        nonisolated(unsafe) let world = world
        return try CameraSession(
            world: world, profile: profile, configuration: format.fitted(to: profile),
            options: options, wakeWorld: { wakeUp?.signal() })
    }

    /// The format to stream: what is asked for, else the smallest that framelock reads.
    ///
    /// Of a raw sensor it is the one that is set, if that fits, since the timing of its other modes is another. Modes
    /// that the profile knows to be misstated by some drivers come last. Without a rate, the first that is listed with
    /// a period of 33 ms or more is taken, else the last that is listed.
    ///
    /// - Returns: nil for a camera of which no format is read, where none was asked for.
    /// - Throws: ``Failure`` if what was asked for fits no format.
    private static func format(
        of device: CameraDescription, by profile: CameraProfile, _ request: CameraRequest
    ) throws -> CaptureConfiguration? {
        func isFitting(_ format: CameraFormat) -> Bool {
            format.pixelFormat != nil
                && (request.pixels.map { format.pixelFormat?.name == $0 } ?? true)
                && (request.size.map { format.offers($0) } ?? true)
        }
        let fitting = device.formats.filter(isFitting)
        let present =
            profile.sensor != nil ? device.selected.flatMap { isFitting($0) ? $0 : nil } : nil
        func order(_ format: CameraFormat) -> (Int, Int, Int, String) {
            let isPlain = request.prefersColour && format.pixelFormat?.samples == .mono
            let mode = format.pixelFormat.flatMap { profile.sensorMode($0, format.size) }
            // One without a mode has the driver's own figures; a misstated one may be refused.
            let doubt = mode?.refusesOtherRates ?? false
            return (
                doubt ? 1 : 0, format.size.width * format.size.height, isPlain ? 1 : 0,
                format.fourCC
            )
        }
        let best = present ?? fitting.min { order($0) < order($1) }
        guard let best, let pixelFormat = best.pixelFormat else {
            if request.pixels == nil, request.size == nil { return nil }
            throw Failure.unavailable(
                "the camera has no format like that; `framelock devices` lists what it has")
        }
        let usual = best.rates.first { $0.period >= .milliseconds(33) } ?? best.rates.last
        return CaptureConfiguration(
            pixelFormat: pixelFormat, size: request.size ?? best.size,
            rate: request.rate ?? usual)
    }
}
