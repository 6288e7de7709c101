import Devices
import Foundation
import Imaging
import Notation
import Recipes
import TestSupport
import Testing
import Timebase

@testable import Records

/// A folder that is gone when the test is over.
final class TemporaryFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("framelock-records-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Memory for one frame as the record wants it.
final class FrameMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ byteCount: Int) {
        bytes = .allocate(byteCount: byteCount, alignment: 4096)
        bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
    }

    deinit { bytes.deallocate() }
}

/// Plans and rows for tests.
enum Sample {
    static func plan(
        pixels: String = "SRGGB12", width: Int = 32, height: Int = 20,
        program: [Instruction] = [.capture(count: 5, settings: 0, lights: 0, step: 0)],
        lines: [LineRequest] = [], require: Requirements = Requirements()
    ) throws -> Plan {
        let profile = CameraProfile(
            name: "bench",
            timestamps: TimestampModel(
                point: .endOfReadout, delay: .microseconds(50), readout: .zero))
        let format = try #require(PixelFormat.named(pixels))
        let size = try #require(FrameSize(width: width, height: height))
        let configuration = CaptureConfiguration(
            pixelFormat: format, size: size, rate: FrameRate(frames: 30))
        let exposures: [Interval] = [.milliseconds(8), .microseconds(500)]
        let settings = exposures.map { exposure in
            let frame = FrameSettings(
                exposure: .value(exposure), gain: .value(Gain(millionths: 2_000_000)),
                lens: LensPosition(millionths: 420_000).map { .value($0) } ?? .free)
            return PlannedSettings(
                requested: frame, quantised: frame, codes: [], latencyFrames: 2, settle: .zero)
        }
        return Plan(
            name: "sample",
            camera: PlannedCamera(id: "simulated", profile: profile, configuration: configuration),
            settings: settings, lines: lines, steps: ["sequence[0]", "sequence[1].do[0]"],
            program: program, output: OutputOptions(), require: require)
    }

    static func description(_ plan: Plan) throws -> RunDescription {
        let configuration = plan.camera.configuration
        let layout = try #require(
            FrameLayout(pixelFormat: configuration.pixelFormat, size: configuration.size))
        return RunDescription(
            version: "0.0.0", recipe: Array("framelock: 1\n".utf8),
            parameters: [RecipeParameter(name: "interval", value: "10 s", isOverridden: true)],
            plan: plan,
            camera: CameraIdentity(
                id: "simulated", name: "Simulated camera", driver: "simulated", bus: "none",
                backend: "simulated", path: ""),
            accepted: AcceptedConfiguration(
                layout: layout, rate: configuration.rate, bufferCount: 4),
            epoch: epoch, realtime: realtime, host: ["kernel": "6.1"])
    }

    static let epoch = Instant<Monotonic>(nanoseconds: 5_000_000_000)
    /// 2026-11-20T14:03:22Z at the epoch, known to 1 µs.
    static let realtime = ClockRelation<Monotonic, Realtime>(
        offset: .seconds(1_795_183_402 - 5), halfWidth: .microseconds(1))

    static let line = LineRequest(
        name: "part_present", chip: "gpio-sim", position: .offset(3), direction: .input)

    /// The row of a slot that went well.
    static func row(_ slot: Int64, sequence: UInt32? = nil, settings: Int32 = 0) -> LedgerRow {
        let mid = Instant<Session>(nanoseconds: slot * 33_333_333 + 10_000_000)
        return LedgerRow(
            slot: slot, step: 0, settings: settings,
            deviceSequence: sequence ?? UInt32(truncatingIfNeeded: slot),
            rawTimestamp: Instant(nanoseconds: epoch.nanoseconds + mid.nanoseconds + 4_000_000),
            exposureTime: ExposureTime(
                start: mid - .milliseconds(4), mid: mid, end: mid + .milliseconds(4),
                halfWidth: .microseconds(25)),
            applied: AppliedSettings(
                exposure: settings == 0 ? .milliseconds(8) : .microseconds(500),
                gainMillionths: 2_000_000, lensMillionths: 420_000))
    }

    static func hole(_ slot: Int64, _ reason: HoleReason) -> LedgerRow {
        LedgerRow(slot: slot, step: 0, settings: 0, reason: reason)
    }

    /// Fills a frame with samples that fit its format, as bright as an exposure of at most 8 ms makes it.
    static func fill(
        _ memory: UnsafeMutableRawBufferPointer, _ format: PixelFormat, byteCount: Int,
        exposure: Interval = .milliseconds(8), _ random: inout SeededGenerator
    ) {
        let share = UInt64(exposure.nanoseconds / 500_000)
        for offset in stride(from: 0, to: byteCount, by: format.bytesPerSample) {
            let sample = UInt16(random.next() % UInt64(format.maximum + 1) * share / 16)
            memory[offset] = UInt8(truncatingIfNeeded: sample)
            if format.bytesPerSample == 2 { memory[offset + 1] = UInt8(sample >> 8) }
        }
    }
}

/// A record that is being written, frame by frame, with frames from a seed.
final class SampleRun {
    let plan: Plan
    let record: RunRecord
    let memory: FrameMemory
    private var random: SeededGenerator
    private let format: PixelFormat
    private let size: FrameSize
    private let frameBytes: Int

    /// Starts a run; waiting for the disk at every flush is left to the few tests that are about it.
    init(_ plan: Plan, at path: String, seed: UInt64 = 1, isDurable: Bool = false) throws {
        self.plan = plan
        let description = try Sample.description(plan)
        record = try RunRecord(
            in: RunFolder.create(at: path), description, isDurable: isDurable)
        memory = FrameMemory(record.paddedFrameByteCount)
        random = SeededGenerator(seed: seed)
        format = plan.camera.configuration.pixelFormat
        size = plan.camera.configuration.size
        frameBytes = description.accepted.layout.recordedByteCount
    }

    /// Appends a frame with the row, at the row's own time.
    @discardableResult
    func frame(_ row: LedgerRow) -> RunRecord.FrameResult {
        Sample.fill(
            memory.bytes, format, byteCount: frameBytes,
            exposure: row.applied.exposure ?? .milliseconds(8), &random)
        let frame = UnsafeRawBufferPointer(rebasing: memory.bytes[..<frameBytes])
        return record.append(
            frame: row, measure: FrameBrightness(of: frame, format: format, size: size),
            bytes: UnsafeRawBufferPointer(memory.bytes),
            at: row.exposureTime?.end ?? Instant(nanoseconds: 0))
    }

    func hole(_ row: LedgerRow) { record.append(hole: row) }

    @discardableResult
    func finish(_ ending: RunEnding = .completed) throws -> Judgement {
        try record.finish(
            ending, at: Sample.epoch + .seconds(3), realtime: Sample.realtime)
    }
}
