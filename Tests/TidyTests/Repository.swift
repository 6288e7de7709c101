import Foundation
import Synchronization

/// The files of the project, as version control sees them.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Folders that are made by building or running, or belong to version control itself.
    private static let notOurs: Set<String> = [
        ".build", ".build-mutants", ".git", ".swiftpm", "runs", "__pycache__",
    ]

    /// Every file that is part of the project, by its path from the root, sorted.
    static let files: [String] = {
        var found: [String] = []
        collect("", into: &found)
        return found.sorted()
    }()

    static func files(_ suffix: String, under folders: [String] = [""]) -> [String] {
        files.filter { file in
            file.hasSuffix(suffix) && folders.contains { file.hasPrefix($0) }
        }
    }

    /// Sources and tests.
    static let swift = files(".swift")

    static func text(_ file: String) throws -> String {
        try String(contentsOf: root.appending(path: file), encoding: .utf8)
    }

    /// The lines of a file, read once for all rules.
    static func lines(_ file: String) throws -> [String] {
        if let known = read.withLock({ $0[file] }) { return known }
        let lines = try text(file).utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        read.withLock { $0[file] = lines }
        return lines
    }

    private static let read = Mutex<[String: [String]]>([:])

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private static func collect(_ folder: String, into found: inout [String]) {
        let path = root.appending(path: folder).path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            if notOurs.contains(name) { continue }
            let file = folder.isEmpty ? name : "\(folder)/\(name)"
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(
                atPath: root.appending(path: file).path, isDirectory: &isFolder)
            if isFolder.boolValue {
                collect(file, into: &found)
            } else {
                found.append(file)
            }
        }
    }
}

/// Functions of a Swift file with their lengths, found by braces outside of strings and comments.
struct SwiftFunctions {
    private(set) var all: [(name: String, line: Int, length: Int)] = []

    init(_ lines: [String]) {
        var open: [(name: String?, line: Int)] = []
        var pending: (name: String, line: Int)?
        var isInText = false
        for (index, line) in lines.enumerated() {
            let isInTextBefore = isInText
            let quotes = line.components(separatedBy: "\"\"\"").count - 1
            if quotes % 2 == 1 { isInText.toggle() }
            if isInTextBefore { continue }
            let code = Self.code(of: line)
            if let name = Self.function(in: code) { pending = (name, index + 1) }
            for character in code {
                if character == "{" {
                    open.append((pending?.name, pending?.line ?? index + 1))
                    pending = nil
                } else if character == "}", let last = open.popLast(), let name = last.name {
                    all.append((name, last.line, index + 2 - last.line))
                }
            }
        }
    }

    /// The line without what stands in quotes and comments.
    static func code(of line: String) -> String {
        var code = ""
        var isQuoted = false
        var last: Character = " "
        for character in line {
            if character == "\"", last != "\\" { isQuoted.toggle() }
            if !isQuoted {
                if character == "/", last == "/" {
                    code.removeLast()
                    break
                }
                code.append(character)
            }
            last = character
        }
        return code
    }

    private static func function(in code: String) -> String? {
        let words = code.split(whereSeparator: { $0 == " " || $0 == "(" || $0 == "<" })
        if let index = words.firstIndex(of: "func"), index + 1 < words.count {
            return String(words[index + 1])
        }
        return words.contains { $0 == "init" || $0 == "init?" || $0 == "deinit" } ? "init" : nil
    }
}
