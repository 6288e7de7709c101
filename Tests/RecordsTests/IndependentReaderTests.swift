import Devices
import Foundation
import Imaging
import Recipes
import Testing
import Timebase

@testable import Records

/// What zarr-python makes of our records: finished ones, ones that grow, ones that were cut.
@Suite(.enabled(if: IndependentReader.isWanted))
struct IndependentReaderTests {
    @Test(arguments: ["SRGGB12", "GREY", "Y16", "SBGGR10P", "YUYV", "UYVY", "RGB24"])
    func `frames, holes and metadata of every layout`(pixels: String) throws {
        let temporary = try TemporaryFolder()
        let plan = try Sample.plan(
            pixels: pixels, program: [.capture(count: 140, settings: 0, lights: 0, step: 0)],
            require: Requirements(dropped: nil))
        let run = try SampleRun(plan, at: temporary.path + "/run")
        for slot in 0..<140 as Range<Int64> {
            if slot % 9 == 4 {
                run.hole(Sample.hole(slot, .droppedByDriver))
            } else {
                run.frame(Sample.row(slot))
            }
        }
        try run.finish()
        let report = try IndependentReader.check(temporary.path + "/run", atLeast: 140)
        let channels = plan.camera.configuration.pixelFormat.channels
        #expect(report.shape == [140] + (channels > 1 ? [channels] : []) + [20, 32])
        #expect(report.frames == 124)
        #expect(report.holes == 16)
    }

    @Test func `a run can be read while it is written, and after it was cut`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let plan = try Sample.plan(
            program: [.capture(count: 1_000, settings: 0, lights: 0, step: 0)])
        let run = try SampleRun(plan, at: path, isDurable: true)
        var copies = 0
        for slot in 0..<400 as Range<Int64> {
            let row = Sample.row(slot)
            run.frame(row)
            try run.record.flushIfDue(at: try #require(row.exposureTime).end)
            guard slot % 130 == 100 else { continue }
            // The power goes off here: what is in the files now is all that stays.
            copies += 1
            let copy = "\(temporary.path)/cut-\(copies)"
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            // 30 frames a second, so at most 30 of them wait for their flush.
            let report = try IndependentReader.check(copy, atLeast: Int(slot) - 30)
            #expect(report.shape[0] == 1_000)
            let verified = try RunVerifier.verify(copy, scope: [])
            #expect(verified.isConsistent, "\(verified.text)")
            #expect(!verified.isFinalised)
            #expect(verified.frames == Int64(report.frames))
        }
        #expect(copies == 3)
    }
}
