import Foundation
import TestSupport
import Testing

/// What must not compile: the compiler itself is asked, with the module as it was built.
struct ForbiddenMixtureTests {
    private static let values = """
        import Timebase
        func check(
            _ monotonic: Instant<Monotonic>, _ realtime: Instant<Realtime>, _ tai: Instant<TAI>,
            _ boottime: Instant<Boottime>, _ raw: Instant<MonotonicRaw>,
            _ ptp: Instant<PTPHardware>, _ session: Instant<Session>, _ span: Interval,
            _ sample: ClockSample, _ toSession: ClockRelation<Monotonic, Session>
        ) {
        """

    /// The exit status of a type check, and what the compiler said.
    private static func check(_ statement: String) throws -> (status: Int32, text: String) {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "statement-\(UUID().uuidString).swift")
        try Data("\(values)\n    \(statement)\n}\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let modules = BuiltProgram.repository.appending(path: ".build/debug/Modules")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path, file.path,
        ]
        let output = Pipe()
        compiler.standardError = output
        compiler.standardOutput = output
        try compiler.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        compiler.waitUntilExit()
        return (compiler.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test(arguments: [
        "_ = monotonic - monotonic + span",
        "_ = toSession.convert(BoundedInstant(monotonic, halfWidth: .zero)).instant - session",
        "if case .tai(let time) = sample.time { _ = time < tai }",
    ])
    func `what belongs together compiles`(statement: String) throws {
        let found = try Self.check(statement)
        #expect(found.status == 0, "\(found.text)")
    }

    @Test(arguments: [
        "_ = realtime - monotonic",
        "_ = tai - realtime",
        "_ = boottime < monotonic",
        "_ = raw == monotonic",
        "_ = ptp - tai",
        "_ = session - monotonic",
        "_ = monotonic + monotonic",
        "_ = monotonic + 5",
        "let time: Instant<Realtime> = tai; _ = time",
        "_ = toSession.convert(BoundedInstant(realtime, halfWidth: .zero))",
        "if case .tai(let time) = sample.time { _ = time < realtime }",
        "if case .planned(_, let time) = sample.time { _ = time - monotonic }",
        "if case .camera(let ticks) = sample.time { _ = monotonic + ticks }",
    ])
    func `clocks can't be mixed`(statement: String) throws {
        let found = try Self.check(statement)
        #expect(found.status != 0)
        #expect(found.text.contains("error: "), "\(found.text)")
        #expect(!found.text.contains("no such module"), "\(found.text)")
    }
}
