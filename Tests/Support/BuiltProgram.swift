public import Foundation

/// A program of this package as it was built last, so that no test judges an older one in silence.
public enum BuiltProgram {
    /// The root of the repository.
    public static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A program that a test needs and that is not there, or is not of these sources.
    public struct Missing: Error, CustomStringConvertible {
        /// What is to be done about it.
        public var description: String
    }

    /// The folder of programs that are optimised: of release builds, or of the tests' own build where that is.
    ///
    /// - Throws: ``Missing`` if neither has all of them, built from these sources.
    public static func optimizedFolder(of names: [String]) throws -> URL {
        do {
            return try folder("release", of: names)
        } catch {
            guard isOptimized, let folder = try? folder("debug", of: names) else { throw error }
            return folder
        }
    }

    /// The release build of a program, or its debug build if that is the one of these sources.
    ///
    /// - Throws: ``Missing`` if neither is.
    public static func current(_ name: String) throws -> URL {
        do {
            return try folder("release", of: [name]).appending(path: name)
        } catch {
            guard let folder = try? folder("debug", of: [name]) else { throw error }
            return folder.appending(path: name)
        }
    }

    /// - Throws: ``Missing`` if one of the programs is not there, or if sources are younger than it.
    private static func folder(_ build: String, of names: [String]) throws -> URL {
        let folder = repository.appending(path: ".build/\(build)")
        for name in names {
            let remedy = "swift build -c release --product \(name) && touch .build/release/\(name)"
            guard let built = date(folder.appending(path: name)) else {
                throw Missing(description: "there is no .build/\(build)/\(name); run: \(remedy)")
            }
            let newest = newestSource(of: name)
            guard built >= newest.date else {
                throw Missing(
                    description:
                        "\(newest.path) is younger than .build/\(build)/\(name); run: \(remedy)")
            }
        }
        return folder
    }

    /// Whether the tests were built by `deploy/tests/build`: assertions are left out then.
    private static let isOptimized: Bool = {
        var isOptimized = true
        assert(
            {
                isOptimized = false
                return true
            }())
        return isOptimized
    }()

    private static func date(_ file: URL) -> Date? {
        try? file.resolvingSymlinksInPath()
            .resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    }

    /// The source that was changed last, of the instrument and of the test rig's camera, which knows nothing of it.
    private static let newestOfInstrument = newestSource(in: "Sources")
    private static let newestOfRig = newestSource(in: "hardware/bench/camera")

    private static func newestSource(of name: String) -> (path: String, date: Date) {
        name == "framelock-bench-camera" ? newestOfRig : newestOfInstrument
    }

    private static func newestSource(in folder: String) -> (path: String, date: Date) {
        var newest = (path: "", date: Date.distantPast)
        let files = FileManager.default.enumerator(
            at: repository.appending(path: folder),
            includingPropertiesForKeys: [.contentModificationDateKey])
        while let file = files?.nextObject() as? URL {
            guard ["swift", "c", "h"].contains(file.pathExtension), let date = date(file),
                date > newest.date
            else { continue }
            newest = (String(file.path.dropFirst(repository.path.count + 1)), date)
        }
        return newest
    }
}
