import Testing

/// Rules for sources that no compiler and no formatter checks.
struct SourceRuleTests {
    /// Tables and test tables may be long: nobody reads them from end to end.
    private static let tables: Set<String> = []

    @Test func `there is something to check`() {
        #expect(Repository.swift.count > 200)
        #expect(Repository.swift.contains("Sources/Timebase/Interval.swift"))
    }

    @Test func `files can be read in one sitting`() throws {
        for file in Repository.swift + Repository.files(".c") where !Self.tables.contains(file) {
            let count = try Repository.lines(file).count
            #expect(count <= 400, "\(file) has \(count) lines")
        }
    }

    @Test func `functions can be seen whole`() throws {
        var count = 0
        for file in Repository.swift {
            for function in SwiftFunctions(try Repository.lines(file)).all {
                count += 1
                #expect(
                    function.length <= 70,
                    "\(file):\(function.line): \(function.name) has \(function.length) lines")
            }
        }
        #expect(count > 1_000)
    }

    @Test func `lines fit on a screen`() throws {
        for file in Repository.swift {
            for (index, line) in try Repository.lines(file).enumerated() {
                // Text that is quoted as a whole (JSON, diagnostics) can't be broken.
                let isText = line.contains("#\"") || file.hasPrefix("Tests/")
                #expect(
                    line.count <= (isText ? 200 : 120), "\(file):\(index + 1) has \(line.count)")
            }
        }
    }

    @Test func `nothing is left to be done later, and nothing is forced`() throws {
        let forbidden = ["try" + "!", "fatal" + "Error(", "TO" + "DO", "FIX" + "ME", "XX" + "X:"]
        for file in Repository.swift + Repository.files(".c") + Repository.files(".h") {
            for (index, line) in try Repository.lines(file).enumerated() {
                for word in forbidden {
                    #expect(!line.contains(word), "\(file):\(index + 1): \(word)")
                }
            }
        }
    }

    @Test func `the libraries of the instrument do without Foundation`() throws {
        let libraries = [
            "Timebase", "Notation", "Imaging", "Cameras", "Lines", "Recipes", "Records", "Engine",
            "Simulation", "LinuxDevices", "LiveControl", "Calibration", "Reports", "Stills",
        ]
        for library in libraries {
            let files = Repository.files(".swift", under: ["Sources/\(library)/"])
            #expect(!files.isEmpty, "\(library)")
            for file in files {
                let imports = try Self.imports(of: file)
                #expect(!imports.contains { $0.hasPrefix("Foundation") }, "\(file)")
            }
        }
    }

    @Test func `a module knows only those before it`() throws {
        let order: [(String, Set<String>)] = [
            ("Timebase", []), ("Notation", []), ("Imaging", ["Timebase"]),
            ("Stills", ["Timebase", "Imaging"]),
            ("Cameras", ["Timebase", "Imaging"]), ("Lines", ["Timebase"]),
            ("Recipes", ["Timebase", "Notation", "Imaging", "Cameras", "Lines"]),
            ("Records", ["Timebase", "Notation", "Imaging", "Cameras", "Lines", "Recipes"]),
            (
                "Engine",
                [
                    "Timebase", "Notation", "Imaging", "Stills", "Cameras", "Lines", "Recipes",
                    "Records",
                ]
            ),
            ("Simulation", ["Timebase", "Imaging", "Cameras", "Lines", "Engine"]),
            (
                "LinuxDevices", ["Timebase", "Notation", "Imaging", "Cameras", "Lines", "Engine"]
            ),
            ("LiveControl", ["Timebase", "Imaging", "Cameras", "Lines", "Engine"]),
            (
                "Calibration",
                ["Timebase", "Notation", "Imaging", "Cameras", "Lines", "Recipes", "Engine"]
            ),
            ("Reports", ["Timebase", "Notation", "Cameras", "Lines", "Recipes", "Records"]),
        ]
        let ours = Set(order.map(\.0))
        for (module, allowed) in order {
            for file in Repository.files(".swift", under: ["Sources/\(module)/"]) {
                let known = try Self.imports(of: file).intersection(ours)
                #expect(
                    known.isSubset(of: allowed), "\(file) imports \(known.subtracting(allowed))")
            }
        }
    }

    @Test func `C is imported by exactly one Swift module each, and never shown to others`() throws
    {
        for module in [
            "CYAML", "CGPIO", "CVideo", "CRealTime", "CStorage", "CImaging", "CStills",
        ] {
            var users: Set<Substring> = []
            for file in Repository.files(".swift", under: ["Sources/"])
            where try Self.imports(of: file).contains(module) {
                users.insert(file.split(separator: "/").prefix(2).joined(separator: "/")[...])
                let isHidden = try Repository.lines(file).contains("internal import \(module)")
                #expect(isHidden, "\(file)")
            }
            #expect(users.count == 1, "\(module) is imported by \(users.sorted())")
        }
    }

    @Test func `whoever confirms for thread safety says why`() throws {
        var count = 0
        for file in Repository.swift {
            let lines = try Repository.lines(file)
            for (index, line) in lines.enumerated()
            where SwiftFunctions.code(of: line).contains("@unchecked" + " Sendable") {
                count += 1
                let near = lines[max(0, index - 8)..<min(lines.count, index + 6)]
                #expect(
                    near.contains { $0.trimmingPrefix { $0 == " " }.hasPrefix("//") },
                    "\(file):\(index + 1)")
            }
        }
        #expect(count > 0)
    }

    private static func imports(of file: String) throws -> Set<String> {
        Set(
            try Repository.lines(file).compactMap { line in
                let words = line.split(separator: " ")
                guard let index = words.firstIndex(of: "import"), index <= 2,
                    words.prefix(index).allSatisfy({
                        ["public", "internal", "private", "@testable", "@preconcurrency"]
                            .contains($0)
                    })
                else { return nil }
                return words.dropFirst(index + 1).last.map {
                    String($0.split(separator: ".").first ?? $0)
                }
            })
    }
}
