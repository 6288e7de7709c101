internal import Devices
internal import Glibc
package import LinuxDevices
internal import Logging
internal import Notation
internal import Recipes
internal import Records

/// Finds descriptions of receivers: all files of the first folder that has any.
enum ReceiverLibrary {
    /// The folders that are looked in: what the environment names, then `receivers` beside each folder of profiles.
    static var folders: [String] {
        let named = getenv("FRAMELOCK_RECEIVERS").map { [String(cString: $0)] } ?? []
        let beside = ProfileLibrary().folders.compactMap { folder -> String? in
            guard let slash = folder.lastIndex(of: "/") else { return nil }
            return folder[..<slash] + "/receivers"
        }
        return named + beside
    }

    /// All descriptions; a file that can't be read is reported and left out.
    static func models() -> [ReceiverModel] {
        for folder in folders {
            let files = names(in: folder).filter { $0.hasSuffix(".yaml") }
            if !files.isEmpty { return files.compactMap { model("\(folder)/\($0)") } }
        }
        return []
    }

    /// Reads one description; nil, and a warning in the log, where it is not one: other cameras must still be found.
    private static func model(_ path: String) -> ReceiverModel? {
        do {
            let source = try TextFile.read(path)
            do {
                return try ReceiverModelDecoder.decode(source)
            } catch {
                throw Failure.recipe(DiagnosticRenderer(sources: [source]).render(error))
            }
        } catch {
            Log.framelock.warning("\(path) is left out: \(error)")
            return nil
        }
    }

    /// The names in a folder, sorted; none where it can't be read.
    private static func names(in folder: String) -> [String] {
        ((try? Folder.names(in: folder)) ?? []).sorted()
    }
}

extension CameraDiscovery {
    /// A search that knows the receivers whose descriptions are installed.
    package static var ofThisMachine: CameraDiscovery {
        CameraDiscovery(receivers: ReceiverLibrary.models())
    }
}
