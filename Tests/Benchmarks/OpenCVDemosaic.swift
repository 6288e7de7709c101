internal import Glibc

/// OpenCV's demosaic, where a Python with OpenCV can be had.
struct OpenCVDemosaic {
    let width: Int
    let height: Int

    /// Pinned, so that the figures of two machines speak of the same program.
    private static let requirement = "opencv-python-headless==4.12.0.88"
    private static let folder = ".build/benchmark-python"

    /// One figure for each method; none, and a notice, where OpenCV is not there and can't be installed.
    func figures() -> [Figure] {
        let output = "\(Self.folder)/figures"
        guard install(), (try? measure(into: output)) == 0 else {
            print("OpenCV can't be installed here: its figures are left out")
            return []
        }
        return lines(of: output).compactMap { line in
            let words = line.split(separator: "\t")
            guard words.count == 2, let value = Double(words[1]) else { return nil }
            return Figure(
                name: "SRGGB8 OpenCV, \(words[0])", value: value, unit: "Mpx/s",
                note: "one thread")
        }
    }

    private func install() -> Bool {
        let python = "\(Self.folder)/bin/python"
        if access(python, X_OK) == 0, (try? ChildProcess.run([python, "-c", "import cv2"])) == 0 {
            return true
        }
        guard (try? ChildProcess.run(["/usr/bin/python3", "-m", "venv", Self.folder])) == 0 else {
            return false
        }
        return
            (try? ChildProcess.run([
                python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                "--only-binary", ":all:", Self.requirement,
            ])) == 0
    }

    private func measure(into output: String) throws -> Int32 {
        try ChildProcess.run([
            "sh", "-c", "\"$0\" Tests/Benchmarks/opencv_demosaic.py \"$1\" \"$2\" 60 >\"$3\"",
            "\(Self.folder)/bin/python", "\(width)", "\(height)", output,
        ])
    }

    private func lines(of path: String) -> [String] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var lines: [String] = []
        var buffer = [CChar](repeating: 0, count: 256)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
            lines.append(String(decoding: bytes, as: UTF8.self))
        }
        return lines
    }
}
