/// One stream, from the selection of a bandwidth to its end: reads frames out on time and sends them.
struct StreamSession: Sendable {
    let number: Int
    let mode: StreamMode
    private let options: CameraOptions
    private let renderer: PictureRenderer
    private let automatics: Automatics
    private(set) var timeline: FrameTimeline
    var pipe: IsochronousPipe
    private var frameIdentifier: UInt8 = 1
    private var isFrozen = false
    /// Changes of the strobe output that lie ahead, in order.
    private(set) var strobe: [StrobeChange] = []

    /// - Parameter settings: those of the first frame.
    init(
        number: Int, mode: StreamMode, options: CameraOptions, settings: SettingValues, now: Int64
    ) {
        self.number = number
        self.mode = mode
        self.options = options
        let seed = options.seed &+ UInt64(number) << 32
        renderer = PictureRenderer(mode: mode, scene: options.scene, seed: seed)
        automatics = Automatics(
            scene: options.scene, behaviour: options.controls,
            periodNanoseconds: mode.periodNanoseconds)
        // The first frame is exposed for one period before its readout.
        timeline = FrameTimeline(
            first: now + mode.periodNanoseconds, clock: options.clock,
            jitterNanoseconds: options.jitterNanoseconds, seed: seed,
            isTriggered: options.isTriggered)
        pipe = IsochronousPipe(timing: options.timing, clock: options.clock)
        planStrobe(settings, now: now)
    }

    /// Takes a trigger pulse; false if the sensor is not ready for it.
    mutating func trigger(at now: Int64, settings: SettingValues) -> Bool {
        guard timeline.trigger(at: now, exposureNanoseconds: exposure(settings)) else {
            return false
        }
        planStrobe(settings, now: now)
        return true
    }

    /// The strobe is on during the exposure, with a gap of at least 100 µs between frames.
    private mutating func planStrobe(_ settings: SettingValues, now: Int64) {
        guard let end = timeline.nextReadoutNanoseconds else { return }
        strobe.append(StrobeChange(time: max(now + 100_000, end - exposure(settings)), isOn: true))
        strobe.append(StrobeChange(time: end, isOn: false))
    }

    mutating func takeStrobeChange() -> StrobeChange? {
        strobe.isEmpty ? nil : strobe.removeFirst()
    }

    /// Reads one frame out, at its time.
    ///
    /// - Returns: what the automatics change because of it.
    mutating func readOut(
        _ pipeline: inout SensorPipeline, registers: SettingValues, _ replies: inout USBIPReplies
    ) -> [(setting: Setting, value: Int)] {
        guard let now = timeline.nextReadoutNanoseconds else { return [] }
        let counter = timeline.counter
        let settings = pipeline.settings(forFrame: counter)
        let truth = self.truth(settings, counter: counter, at: now)
        send(truth, settings, options.faults.fault(at: counter), now, &replies)
        let following = pipeline.forecast(frame: counter + 1)
        timeline.advance(byDeviceNanoseconds: max(mode.periodNanoseconds, exposure(following)))
        planStrobe(following, now: now)
        let delayed = pipeline
        return automatics.changes(registers, after: truth) { delayed.isPending($0) }
    }

    private mutating func send(
        _ truth: FrameTruth, _ settings: SettingValues, _ planned: Fault?, _ now: Int64,
        _ replies: inout USBIPReplies
    ) {
        var fault = planned == .forget ? nil : planned
        if fault == .freeze { isFrozen = true }
        if isFrozen { fault = .freeze }
        if fault != .drop, fault != .freeze, !pipe.hasRoom { fault = .overrun }
        let isSilent = fault == .drop || fault == .freeze || fault == .overrun
        var picture: [UInt8] = []
        if !isSilent {
            picture = pipe.takeBuffer(bytes: mode.frameBytes)
            if fault != .lose { renderer.draw(truth, settings, into: &picture) }
            frameIdentifier ^= 1
        }
        let byteCount = isSilent ? 0 : fault == .short ? mode.frameBytes / 2 : mode.frameBytes
        pipe.send(
            OutgoingFrame(
                truth: truth, fault: fault, picture: picture, byteCount: byteCount,
                frameIdentifier: frameIdentifier,
                presentationTicks: options.clock.ticks(now)),
            now: now, &replies)
    }

    private func truth(_ settings: SettingValues, counter: Int, at now: Int64) -> FrameTruth {
        FrameTruth(
            stream: number, counter: counter, readoutStartNanoseconds: now,
            exposureNanoseconds: exposure(settings), gain: settings[.gain],
            focus: settings[.focus], temperature: settings[.temperature], red: settings[.red],
            blue: settings[.blue], brightness: settings[.brightness])
    }

    /// The exposure that a frame really gets: no longer than its period, unless the rate may drop.
    private func exposure(_ settings: SettingValues) -> Int64 {
        let wanted = Int64(settings[.exposure]) * 100_000
        return settings[.dynamicFrameRate] == 1 ? wanted : min(wanted, mode.periodNanoseconds)
    }
}

/// The strobe output goes on or off.
package struct StrobeChange: Sendable, Equatable {
    /// CLOCK_MONOTONIC, ns.
    package let time: Int64
    package let isOn: Bool
}
