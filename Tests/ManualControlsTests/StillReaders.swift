import Foundation
import Testing

/// Programs of others that read stills.
enum StillReaders {
    /// What exiftool says of a file: tags by name, numbers as numbers.
    static func exiftool(_ file: String) throws -> [String: Any] {
        let output = try run(
            "exiftool", "libimage-exiftool-perl", ["-json", "-n", "-a", file]
        ).output
        let list = try JSONSerialization.jsonObject(with: output) as? [[String: Any]]
        return try #require(list?.first)
    }

    /// What exiftool finds wrong with a file, minor things too.
    static func exiftoolWarnings(_ file: String) throws -> [String] {
        let output = try run(
            "exiftool", "libimage-exiftool-perl", ["-validate", "-warning", "-a", "-s3", file]
        ).output
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0 != "OK" }
    }

    /// What `dcraw -i -v` says of a raw file: lines by what stands before their colon.
    static func dcraw(_ file: String) throws -> [String: String] {
        let (output, errors) = try run("dcraw", "dcraw", ["-i", "-v", file])
        try #require(errors.isEmpty, "\(errors)")
        var lines: [String: String] = [:]
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 {
                lines[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return lines
    }

    /// The samples that dcraw reads from a raw file, untouched.
    static func dcrawSamples(_ file: String) throws -> [Int] {
        // -E: no cropping, -4: 16 bits linear, -D: nothing is scaled, -c: to standard output.
        let output = [UInt8](try run("dcraw", "dcraw", ["-D", "-4", "-c", file]).output)
        // A PGM: three lines of header, then big-endian samples.
        var start = 0
        for _ in 0..<3 {
            start = try #require(output[start...].firstIndex(of: 10)) + 1
        }
        return stride(from: start, to: output.count - 1, by: 2)
            .map { Int(output[$0]) << 8 | Int(output[$0 + 1]) }
    }

    /// Runs a program of the search path to its end.
    private static func run(
        _ program: String, _ package: String, _ arguments: [String]
    ) throws -> (output: Data, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // What goes to standard error is a line or two, which the pipe holds meanwhile.
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let said = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(
            process.terminationStatus == 0,
            "\(program): \(said) (Debian's package \(package); deploy/bootstrap test installs it)")
        return (data, said)
    }
}

/// A folder that is gone with the value.
final class StillFolderOfTest {
    let url = FileManager.default.temporaryDirectory
        .appending(path: "framelock-still-rows-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file; returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = url.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }
}
