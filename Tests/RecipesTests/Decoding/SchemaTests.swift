import Foundation
import Notation
import Recipes
import Testing

@Suite struct SchemaTests {
    @Test(arguments: FileSchema.allCases)
    func `the schema on disk is the one that the decoders' definitions make`(
        schema: FileSchema
    ) throws {
        let text = schema.json.text(.pretty) + "\n"
        let url = ProjectFiles.recipes.appending(path: "schema/\(schema.fileName)")
        let golden = try ProjectFiles.golden(url, recording: text)
        let isSame = text == golden.text
        #expect(isSame, "set FRAMELOCK_RECORD=1 to write \(schema.fileName) anew")
        let isNew = golden.isNew
        #expect(!isNew, "\(schema.fileName) was written anew; look at it and run again")
    }

    /// Every `$ref` leads somewhere, and every definition is used.
    @Test(arguments: FileSchema.allCases)
    func `references and definitions of a schema match`(schema: FileSchema) throws {
        var references: Set<String> = []
        func collect(_ value: JSONValue) {
            for member in value.objectValue?.members ?? [] {
                if member.name == "$ref", let target = member.value.stringValue {
                    references.insert(target)
                }
                collect(member.value)
            }
            for element in value.arrayValue ?? [] { collect(element) }
        }
        collect(schema.json)
        let definitions = schema.json["$defs"]?.objectValue?.names ?? []
        #expect(references == Set(definitions.map { "#/$defs/\($0)" }))
    }

    /// The schemas judged by an implementation that is not ours.
    @Test(.enabled(if: PythonChecker.isAvailable, "needs python with jsonschema and PyYAML"))
    func `a foreign validator takes the schemas, every recipe, and no wrong one`() throws {
        let result = try PythonChecker.run()
        #expect(result.status == 0, "\(result.output)")
    }
}

/// Runs Tests/python/check_schema.py with the python that has its modules.
enum PythonChecker {
    /// The interpreters to try: what the environment names, the project's own, the system's.
    private static var candidates: [String] {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].map { "\($0)/.cache" }
        let cache =
            environment["FRAMELOCK_CACHE"]
            ?? (environment["XDG_CACHE_HOME"] ?? home).map { "\($0)/framelock" }
        let folders = cache.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) }
        let own = (folders ?? []).filter { $0.hasPrefix("python-") }.sorted()
            .map { "\(cache ?? "")/\($0)/bin/python" }
        let onPath = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/python3" }
        return [environment["FRAMELOCK_PYTHON"]].compactMap { $0 } + own + onPath
    }

    private static let python: String? = candidates.first { path in
        FileManager.default.isExecutableFile(atPath: path)
            && (try? start(path, ["-c", "import jsonschema, yaml"]))?.status == 0
    }

    static var isAvailable: Bool { python != nil }

    static func run() throws -> (status: Int32, output: String) {
        let script = ProjectFiles.root.appending(path: "Tests/python/check_schema.py").path
        return try start(python ?? "", [script, ProjectFiles.root.path])
    }

    private static func start(
        _ path: String, _ arguments: [String]
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
