import Foundation
import Testing

/// Pictures to look at, which change nothing of a record.
struct PreviewTests {
    /// Width and height of a JPEG, from its frame header (ITU-T T.81 B.2.2).
    private static func size(_ file: URL) throws -> [Int] {
        let bytes = [UInt8](try Data(contentsOf: file))
        var place = 2
        while place + 9 < bytes.count {
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            if bytes[place + 1] == 0xC0 {
                return [7, 5].map { Int(bytes[place + $0]) << 8 | Int(bytes[place + $0 + 1]) }
            }
            place += 2 + length
        }
        return []
    }

    @Test func `camera preview writes the newest picture and a window of it`() throws {
        let folder = try TemporaryFolder()
        let result = try FramelockProgram.run(
            "camera", "preview", "--camera", "simulated", "--pixels", "SRGGB12", "--size",
            "640x480",
            "--output", "\(folder.path)/pictures", "--frames", "2", "--zoom", "0.5,0.5",
            "--zoom-factor", "2", "--peaking")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(try Self.size(folder.url.appending(path: "pictures/preview.jpg")) == [640, 480])
        #expect(try Self.size(folder.url.appending(path: "pictures/zoom.jpg")) == [640, 480])
    }

    @Test func `a run with a preview leaves the same frames as one without`() throws {
        let folder = try TemporaryFolder()
        for (name, options) in [
            ("with", ["--preview", "\(folder.path)/pictures"]), ("without", []),
        ] {
            let run = try FramelockProgram.run(
                ["run", "recipes/first-light.yaml", "--output", "\(folder.path)/\(name)"] + options)
            #expect(run.status == 0, "\(run.stderr)")
        }
        #expect(try Self.size(folder.url.appending(path: "pictures/preview.jpg")) == [640, 480])
        let columns = ["with", "without"].map { name in
            (try? folder.text("\(name)/ledger.csv"))?.split(separator: "\n").map { row in
                row.split(separator: ",", omittingEmptySubsequences: false)[19]
            }
        }
        #expect(columns[0]?.count == 17)
        #expect(columns[0] == columns[1])
    }

    @Test(arguments: [
        ["run", "recipes/first-light.yaml", "--preview"],
        ["camera", "preview", "--camera", "simulated", "--frames", "1", "--output"],
    ])
    func `a file in the place of the folder is refused before anything is recorded`(
        command: [String]
    ) throws {
        let folder = try TemporaryFolder()
        let file = try folder.recipe("framelock: 1")
        let result = try FramelockProgram.run(command + [file])
        #expect(result.status == 74)
        #expect(result.stderr.contains("ENOTDIR"), "\(result.stderr)")
    }

    @Test(arguments: [
        (["--zoom", "2,0.5"], "both numbers are 0 to 1"),
        (["--zoom", "middle"], "a place of the picture"),
        (["--zoom", "0.5,0.5", "--zoom-factor", "99"], "1 to 32"),
    ])
    func `a window that can't be is refused with its limits`(
        options: [String], message: String
    ) throws {
        let folder = try TemporaryFolder()
        let result = try FramelockProgram.run(
            [
                "camera", "preview", "--camera", "simulated", "--output", folder.path, "--frames",
                "1",
            ]
                + options)
        #expect(result.status == 64)
        #expect(result.stderr.contains(message), "\(result.stderr)")
    }
}
