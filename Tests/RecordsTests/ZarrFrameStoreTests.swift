import Devices
import Foundation
import Imaging
import Notation
import Recipes
import Testing
import Timebase

@testable import Records

struct ZarrFrameStoreTests {
    @Test func `a shard is at most 256 MiB and its index fits one sector`() throws {
        for format in PixelFormat.known {
            for (width, height) in [(4, 1), (640, 480), (1_920, 1_080), (9_152, 6_944)] {
                let size = try #require(FrameSize(width: width, height: height))
                let layout = ZarrLayout(pixelFormat: format, size: size)
                #expect(layout.placeBytes % 4_096 == 0)
                #expect(layout.placeBytes >= layout.frameBytes)
                #expect((1...31).contains(layout.framesPerShard))
                #expect(
                    layout.framesPerShard == 1
                        || layout.framesPerShard * layout.placeBytes <= 256 << 20)
                #expect(ZarrShardIndex.byteCount(frames: layout.framesPerShard) <= 512)
                #expect(layout.offset(ofPosition: 0) == 4_096)
            }
        }
    }

    @Test func `an index is read back, and damage to any byte of it is noticed`() {
        var index = ZarrShardIndex(frames: 4)
        index.entries[2] = ZarrShardIndex.Entry(offset: 4_096, byteCount: 1_280)
        var block = [UInt8](repeating: 0xCC, count: 4_096)
        block.withUnsafeMutableBytes { index.encode(into: $0) }
        #expect(block.withUnsafeBytes { ZarrShardIndex($0, frames: 4) } == index)
        #expect(block[0..<16].allSatisfy { $0 == 0xFF })
        #expect(Array(block[32..<48]) == [0, 16, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0])
        for byte in 0..<ZarrShardIndex.byteCount(frames: 4) {
            var damaged = block
            damaged[byte] ^= 0x10
            #expect(damaged.withUnsafeBytes { ZarrShardIndex($0, frames: 4) } == nil)
        }
        let short = block.prefix(67)
        #expect(Array(short).withUnsafeBytes { ZarrShardIndex($0, frames: 4) } == nil)
    }

    @Test func `metadata of a sharded image with channels`() throws {
        let size = try #require(FrameSize(width: 64, height: 4))
        let format = try #require(PixelFormat.named("UYVY"))
        let metadata = ZarrMetadata(
            layout: ZarrLayout(pixelFormat: format, size: size),
            frames: FrameSeries(
                name: "line", pixelFormat: format, size: size, plannedSlots: 9,
                period: FrameRate(frames: 30)?.period,
                levels: PixelLevels(bits: 8, black: 16)))
        #expect(
            metadata.array(slots: 9).text() == """
                {"zarr_format":3,"node_type":"array","shape":[9,2,4,64],"data_type":"uint8",\
                "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[31,2,4,64]}},\
                "chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},\
                "fill_value":0,"codecs":[{"name":"sharding_indexed","configuration":\
                {"chunk_shape":[1,2,4,64],"codecs":[{"name":"transpose","configuration":\
                {"order":[0,2,3,1]}},{"name":"bytes","configuration":{"endian":"little"}}],\
                "index_codecs":[{"name":"bytes","configuration":{"endian":"little"}},\
                {"name":"crc32c"}],"index_location":"start"}}],\
                "dimension_names":["t","c","y","x"],"attributes":{"framelock":\
                {"pixel_format":"UYVY","bits_per_sample":8,"black_level":16,"white_level":255,\
                "samples":"yuv422",\
                "channels":["chroma","luma"],"ledger":"ledger.csv"}}}
                """)
        #expect(
            metadata.group.text() == """
                {"zarr_format":3,"node_type":"group","attributes":{"ome":{"version":"0.5",\
                "multiscales":[{"name":"line","axes":[{"name":"t","type":"time","unit":"second"},\
                {"name":"c","type":"channel"},{"name":"y","type":"space"},\
                {"name":"x","type":"space"}],"datasets":[{"path":"0","coordinateTransformations":\
                [{"type":"scale","scale":[0.033333333,1,1,1]}]}]}]},"framelock":\
                {"pixel_format":"UYVY","bits_per_sample":8,"black_level":16,"white_level":255,\
                "samples":"yuv422",\
                "channels":["chroma","luma"],"ledger":"ledger.csv"}}}
                """)
    }

    @Test func `frames that a blocked disk refuses throw, and later ones are written`() throws {
        let temporary = try TemporaryFolder()
        let size = try #require(FrameSize(width: 16, height: 16))
        let format = try #require(PixelFormat.named("GREY"))
        let store = try ZarrFrameStore(
            creating: temporary.path + "/frames.zarr",
            FrameSeries(
                name: "n", pixelFormat: format, size: size, plannedSlots: 4, period: nil))
        let memory = FrameMemory(store.paddedFrameByteCount)
        let bytes = UnsafeRawBufferPointer(memory.bytes)
        let obstacle = temporary.path + "/frames.zarr/0/c"
        try Data().write(to: URL(fileURLWithPath: obstacle))
        let error = #expect(throws: StorageError.self) { try store.write(slot: 0, bytes: bytes) }
        #expect(error?.errno == ENOTDIR)
        try FileManager.default.removeItem(atPath: obstacle)
        try store.write(slot: 1, bytes: bytes)
        try store.finish(slots: 4)
        let reader = ZarrFrameReader(
            temporary.path + "/frames.zarr",
            FrameSeries(
                name: "n", pixelFormat: format, size: size, plannedSlots: 4, period: nil))
        #expect(
            (0..<4).map { reader.read(slot: $0) } == [.missing, .frame, .missing, .missing])
        #expect(reader.withFrame { $0.allSatisfy { $0 == 0xA5 } })
    }

    @Test func `a shard ends with its last frame, and holes take no space`() throws {
        let temporary = try TemporaryFolder()
        let size = try #require(FrameSize(width: 1_024, height: 64))
        let format = try #require(PixelFormat.named("GREY"))
        let store = try ZarrFrameStore(
            creating: temporary.path + "/frames.zarr",
            FrameSeries(
                name: "n", pixelFormat: format, size: size, plannedSlots: nil, period: nil))
        let memory = FrameMemory(store.paddedFrameByteCount)
        for slot in [0, 25] as [Int64] {
            try store.write(slot: slot, bytes: UnsafeRawBufferPointer(memory.bytes))
        }
        try store.finish(slots: 26)
        var status = stat()
        #expect(stat(temporary.path + "/frames.zarr/0/c/0/0/0", &status) == 0)
        #expect(status.st_size == 4_096 + 26 * 65_536)
        // A file system that can't punch holes keeps the whole range.
        #expect(status.st_blocks * 512 <= status.st_size + 65_536)
        let json = try String(
            contentsOfFile: temporary.path + "/frames.zarr/0/zarr.json", encoding: .utf8)
        #expect(json.contains("\"shape\": [\n    26,\n    64,\n    1024\n  ]"))
    }

    @Test func `an endless array grows with its shards`() throws {
        let temporary = try TemporaryFolder()
        let plan = try Sample.plan(
            program: [
                .loop(count: -1, every: .zero, end: 2, step: 0),
                .capture(count: 1, settings: 0, lights: 0, step: 1), .endLoop(start: 0),
            ])
        let run = try SampleRun(plan, at: temporary.path + "/run")
        func length() throws -> Int {
            let url = URL(fileURLWithPath: temporary.path + "/run/frames.zarr/0/zarr.json")
            struct Array: Decodable { var shape: [Int] }
            return try JSONDecoder().decode(Array.self, from: Data(contentsOf: url)).shape[0]
        }
        var lengths: [Int] = []
        for slot in 0..<90 as Range<Int64> {
            var row = Sample.row(slot)
            row.step = 1
            run.frame(row)
            if slot % 31 == 0 { lengths.append(try length()) }
        }
        #expect(lengths == [31, 62, 93])
        try run.finish(.interrupted)
        #expect(try length() == 90)
        let report = try RunVerifier.verify(temporary.path + "/run", scope: [])
        #expect(report.text == "\(temporary.path)/run: consistent (90 slots, 90 frames)")
    }

    @Test func `an endless array has the slots before its loop that were not reached`() throws {
        let temporary = try TemporaryFolder()
        let plan = try Sample.plan(
            program: [
                .capture(count: 20, settings: 0, lights: 0, step: 1),
                .loop(count: -1, every: .zero, end: 3, step: 0),
                .capture(count: 1, settings: 0, lights: 0, step: 1), .endLoop(start: 1),
            ])
        let run = try SampleRun(plan, at: temporary.path + "/run")
        func row(_ slot: Int64) -> LedgerRow {
            var row = Sample.row(slot)
            row.step = 1
            return row
        }
        for slot in 0..<15 as Range<Int64> { run.frame(row(slot)) }
        var rest = LedgerRow(slot: 15, step: 1, settings: 0, reason: .interrupted)
        rest.lastSlot = 19
        run.record.append(hole: rest)
        try run.finish(.interrupted)
        let url = URL(fileURLWithPath: temporary.path + "/run/frames.zarr/0/zarr.json")
        let json = try JSONReader.read(Array(Data(contentsOf: url)), name: "zarr.json")
        #expect(json["shape"]?[0]?.integerValue == 20)
        let report = try RunVerifier.verify(temporary.path + "/run", scope: [])
        #expect(report.problems.isEmpty, "\(report.text)")
    }

    /// Programs, and whether their slots are consecutive frames.
    static let programs: [(program: [Instruction], isUninterrupted: Bool)] = [
        ([.capture(count: 5, settings: 0, lights: 0, step: 0)], true),
        (
            [
                .capture(count: 2, settings: 1, lights: 0, step: 0),
                .capture(count: 2, settings: 1, lights: 0, step: 1),
            ], true
        ),
        (
            [
                .loop(count: -1, every: .zero, end: 2, step: 0),
                .capture(count: 1, settings: 0, lights: 0, step: 0), .endLoop(start: 0),
            ], true
        ),
        (
            [
                .loop(count: 5, every: .seconds(10), end: 2, step: 0),
                .capture(count: 1, settings: 0, lights: 0, step: 0), .endLoop(start: 0),
            ], false
        ),
        (
            [
                .capture(count: 2, settings: 0, lights: 0, step: 0),
                .capture(count: 2, settings: 1, lights: 0, step: 1),
            ], false
        ),
        (
            [
                .capture(count: 2, settings: 0, lights: 0, step: 0), .wait(.seconds(1), step: 0),
                .capture(count: 2, settings: 0, lights: 0, step: 1),
            ], false
        ),
        (
            [
                .waitForEdge(line: 0, within: .zero, step: 0),
                .capture(count: 1, settings: 0, lights: 0, step: 0),
            ], false
        ),
        ([.capture(count: 5, settings: 0, lights: 1, step: 0)], false),
        (
            [
                .pulse(line: 0, duration: .seconds(1), step: 0),
                .capture(count: 1, settings: 0, lights: 0, step: 0),
            ], false
        ),
    ]

    @Test(arguments: programs)
    func `time along t has a scale only where slots are consecutive frames`(
        program: [Instruction], isUninterrupted: Bool
    ) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(
            Sample.plan(width: 8, height: 4, program: program, lines: [Sample.line]), at: path)
        try run.record.flush()
        let bytes = Array(try Data(contentsOf: URL(filePath: path + "/frames.zarr/zarr.json")))
        let group = try JSONReader.read(bytes, name: "zarr.json")
        let scales = group["attributes"]?["ome"]?["multiscales"]?[0]
        let scale = scales?["datasets"]?[0]?["coordinateTransformations"]?[0]?["scale"]
        #expect(scale?[0]?.numberText == (isUninterrupted ? "0.033333333" : "1"))
        #expect(scales?["axes"]?[0]?["unit"]?.stringValue == (isUninterrupted ? "second" : nil))
        #expect(try RunVerifier.verify(path, scope: []).problems.isEmpty)
    }

    @Test func `the pixel size of the recipe is the scale of the picture, in micrometres`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        var plan = try Sample.plan()
        var metadata = RunMetadata()
        metadata.sample = "slide 12"
        metadata.pixelSize = PixelSize(picometres: 322_500)
        metadata.notes = [.init(name: "dose", value: .decimal("2.50"))]
        plan.metadata = metadata
        let run = try SampleRun(plan, at: path)
        try run.record.flush()
        let bytes = Array(try Data(contentsOf: URL(filePath: path + "/frames.zarr/zarr.json")))
        let attributes = try JSONReader.read(bytes, name: "zarr.json")["attributes"]
        let image = attributes?["ome"]?["multiscales"]?[0]
        let axes = image?["axes"]?.arrayValue ?? []
        #expect(axes.suffix(2).map { $0["unit"]?.stringValue } == ["micrometer", "micrometer"])
        let scale = image?["datasets"]?[0]?["coordinateTransformations"]?[0]?["scale"]?.arrayValue
        #expect(scale?.suffix(2).map { $0.numberText } == ["0.3225", "0.3225"])
        #expect(attributes?["framelock"]?["metadata"]?["notes"]?.text() == #"{"dose":2.50}"#)
        #expect(try RunVerifier.verify(path, scope: []).problems.isEmpty)
        #expect(try RunSummary.read(path).text.contains("sample    slide 12\n"))
    }
}
