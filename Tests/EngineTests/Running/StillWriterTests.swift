import Devices
import Foundation
import Imaging
import Notation
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// The thread that makes stills: it may fall behind, and says so.
struct StillWriterTests {
    private static let frameBytes = 8 * 4

    private static func record(at path: String, _ format: StillFormat) throws -> RunRecord {
        var plan = try SamplePlan([.capture(20)]).plan()
        plan.stills = [PlannedStill(step: 0, format: format)]
        let configuration = plan.camera.configuration
        let layout = try #require(
            FrameLayout(pixelFormat: configuration.pixelFormat, size: configuration.size))
        return try RunRecord(
            in: RunFolder.create(at: path),
            RunDescription(
                version: "0.0.0", recipe: [], parameters: [], plan: plan,
                camera: CameraIdentity(
                    id: "story", name: "story", driver: "story", bus: "", backend: "", path: ""),
                accepted: AcceptedConfiguration(
                    layout: layout, rate: configuration.rate, bufferCount: 4),
                epoch: Instant(nanoseconds: 0), realtime: ClockRelation(offset: .zero),
                host: .null),
            isDurable: false)
    }

    private static func hand(_ writer: StillWriter, _ slot: Int64, step: Int32 = 0) -> Bool {
        let bytes = [UInt8](repeating: UInt8(slot), count: 4096)
        return bytes.withUnsafeBytes {
            writer.hand(LedgerRow(slot: slot, step: step, settings: 0), $0, waits: false)
        }
    }

    @Test func `what does not fit is missed at once, and the rest is written`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "framelock-stills-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let record = try Self.record(at: folder.path, .dng)
        let writer = try #require(StillWriter(record, frameByteCount: Self.frameBytes))
        // Its thread is not there yet, so it is as slow as can be: four frames wait, no more.
        #expect((0..<6).map { Self.hand(writer, $0) } == [true, true, true, true, false, false])
        // Other steps ask for no stills, so nothing of theirs is missed.
        #expect(Self.hand(writer, 7, step: 1))
        writer.start()
        writer.finish()
        #expect(writer.nextMiss() == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: record.folder.stills)
        #expect(names.sorted() == (0..<4).map { "00000\($0).dng" })
    }

    @Test func `a still that can't be written is missed with its errno`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "framelock-stills-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let record = try Self.record(at: folder.path, .jpeg)
        try FileManager.default.createDirectory(
            atPath: record.folder.stills + "/000001.jpg", withIntermediateDirectories: false)
        let writer = try #require(StillWriter(record, frameByteCount: Self.frameBytes))
        for slot in 0..<3 as Range<Int64> { #expect(Self.hand(writer, slot)) }
        writer.start()
        writer.finish()
        let miss = try #require(writer.nextMiss())
        #expect(miss.slot == 1 && miss.errno == EEXIST)
        #expect(writer.nextMiss() == nil)
    }
}
