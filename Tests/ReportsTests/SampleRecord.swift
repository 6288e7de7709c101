import Devices
import Foundation
import Imaging
import Notation
import Recipes
import Records
import Testing
import Timebase
import Tracking

/// Writes small records by hand, for reports about them.
final class SampleRecord {
    static let epoch = Instant<Monotonic>(nanoseconds: 5_000_000_000)
    static let realtime = ClockRelation<Monotonic, Realtime>(
        offset: .seconds(1_795_183_402 - 5), halfWidth: .microseconds(1))
    static let period = Interval.milliseconds(10)

    let path: String
    let record: RunRecord
    private let root: String
    private let memory: UnsafeMutableRawBufferPointer
    private let format: PixelFormat
    private let size: FrameSize
    private let bytes: Int

    init(
        name: String = "sample", slots: Int64, steps: [String] = ["sequence[0]", "sequence[1]"],
        require: Requirements = Requirements(), isTriggered: Bool = false
    ) throws {
        root =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("framelock-reports-\(UUID().uuidString)").path
        path = root + "/run"
        format = try #require(PixelFormat.named("GREY"))
        size = try #require(FrameSize(width: 8, height: 4))
        let configuration = CaptureConfiguration(
            pixelFormat: format, size: size, rate: FrameRate(frames: 100))
        let layout = try #require(FrameLayout(pixelFormat: format, size: size))
        let profile = CameraProfile(
            name: "story",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero))
        let settings = [Interval.milliseconds(4), .milliseconds(2)].map { exposure in
            let frame = FrameSettings(
                exposure: .value(exposure), gain: .value(Gain(millionths: 2_000_000)),
                whiteBalance: .value(.temperature(kelvin: 5_600, tintThousandths: 0)))
            return PlannedSettings(
                requested: frame, quantised: frame, codes: [], latencyFrames: 1, settle: .zero)
        }
        let window = TriggerWindow(
            earliest: .microseconds(1), latest: .microseconds(50), edgeDelay: .microseconds(9),
            shortestPeriod: .milliseconds(5), longestPeriod: .milliseconds(6))
        let plan = Plan(
            name: name,
            camera: PlannedCamera(
                id: "story", profile: profile, configuration: configuration,
                trigger: isTriggered ? PlannedTrigger(line: 0, window: window) : nil),
            settings: settings,
            lines: [
                LineRequest(name: "part", chip: "chip", position: .offset(0), direction: .input),
                LineRequest(name: "lamp", chip: "chip", position: .offset(1), direction: .output),
            ],
            steps: steps, program: [.capture(count: slots, settings: 0, lights: 0, step: 0)],
            output: OutputOptions(), require: require)
        var description = RunDescription(
            version: "0.0.0", recipe: Array("framelock: 1\n".utf8), parameters: [], plan: plan,
            camera: CameraIdentity(
                id: "story", name: "Story <camera>", driver: "story", bus: "none",
                backend: "story", path: ""),
            accepted: AcceptedConfiguration(
                layout: layout, rate: configuration.rate, bufferCount: 4),
            epoch: Self.epoch, realtime: Self.realtime, host: ["kernel": "6.1"])
        description.thermometer = "story"
        record = try RunRecord(in: RunFolder.create(at: path), description, isDurable: false)
        memory = .allocate(byteCount: record.paddedFrameByteCount, alignment: 4096)
        bytes = layout.recordedByteCount
    }

    deinit {
        memory.deallocate()
        try? FileManager.default.removeItem(atPath: root)
    }

    static func mid(_ slot: Int64) -> Instant<Session> {
        Instant(nanoseconds: slot * period.nanoseconds + 6_000_000)
    }

    /// The row of a slot that went well.
    static func row(_ slot: Int64, settings: Int32 = 0) -> LedgerRow {
        let mid = mid(slot)
        let half: Interval = settings == 0 ? .milliseconds(2) : .milliseconds(1)
        return LedgerRow(
            slot: slot, step: settings, settings: settings, deviceSequence: UInt32(slot),
            rawTimestamp: epoch + Interval(nanoseconds: mid.nanoseconds) + half,
            exposureTime: ExposureTime(
                start: mid - half, mid: mid, end: mid + half, halfWidth: .microseconds(25)),
            applied: AppliedSettings(
                exposure: half * 2, gainMillionths: 2_000_000,
                whiteBalance: AppliedWhiteBalance(kelvin: 5_600)))
    }

    func frame(_ row: LedgerRow, level: UInt8 = 100) {
        memory.initializeMemory(as: UInt8.self, repeating: level)
        let frame = UnsafeRawBufferPointer(rebasing: memory[..<bytes])
        _ = record.append(
            frame: row, measure: FrameBrightness(of: frame, format: format, size: size),
            bytes: UnsafeRawBufferPointer(memory), at: Self.mid(row.slot))
    }

    func hole(
        _ slot: Int64, _ reason: HoleReason, trigger: TriggerReference? = nil,
        gapEvidence: GapEvidence = []
    ) {
        record.append(
            hole: LedgerRow(
                slot: slot, step: 0, settings: 0, reason: reason, trigger: trigger,
                gapEvidence: gapEvidence))
    }

    func notReached(_ slots: ClosedRange<Int64>, _ reason: HoleReason) {
        record.append(
            hole: LedgerRow(
                slot: slots.lowerBound, step: 0, settings: 0, reason: reason,
                lastSlot: slots.upperBound))
    }

    func finish(_ ending: RunEnding = .completed) throws {
        _ = try record.finish(
            ending, at: Self.epoch + .seconds(1), realtime: Self.realtime)
    }
}
