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
        for library in try Self.modules().map(\.name) {
            let files = Repository.files(".swift", under: ["Sources/\(library)/"])
            #expect(!files.isEmpty, "\(library)")
            for file in files {
                let imports = try Self.imports(of: file)
                #expect(!imports.contains { $0.hasPrefix("Foundation") }, "\(file)")
            }
        }
    }

    /// The instrument's modules with what each may know, as the package says, in its order.
    private static func modules() throws -> [(name: String, knows: Set<String>)] {
        let package = try Repository.text("Package.swift")
        let entries = package.matches(
            of: /\s module\(\s*"(?<name>\w+)"(,\s*\[(?<knows>[^\]]*)\])?\)/)
        return entries.map { entry in
            let names = (entry.knows ?? "").split(separator: ",").map {
                String($0.filter { $0.isLetter || $0.isNumber })
            }
            return (String(entry.name), Set(names.filter { !$0.isEmpty }))
        }
    }

    @Test func `a module knows only those before it`() throws {
        let modules = try Self.modules()
        #expect(modules.count > 10)
        let ours = Set(modules.map(\.name))
        var before: Set<String> = []
        for (name, knows) in modules {
            let known = knows.intersection(ours)
            #expect(known.isSubset(of: before), "\(name) knows \(known.subtracting(before))")
            before.insert(name)
            for file in Repository.files(".swift", under: ["Sources/\(name)/"]) {
                let imported = try Self.imports(of: file).intersection(ours)
                #expect(
                    imported.isSubset(of: knows), "\(file) imports \(imported.subtracting(knows))")
            }
        }
    }

    @Test func `the map of the architecture has every module, in the order of the arrows`() throws {
        let map = try Repository.text("ARCHITECTURE.md")
        let names = map.matches(of: /\n\| `(\w+)` \|/).map { String($0.1) }
        #expect(names == (try Self.modules()).map(\.name) + ["framelock"])
    }

    @Test func `C is imported by exactly one Swift module each, and never shown to others`() throws
    {
        for module in [
            "CYAML", "CGPIO", "CVideo", "CDevices", "CRealTime", "CStorage", "CImaging", "CStills",
            "CExports",
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

    @Test func `whoever promises thread safety says why`() throws {
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

    /// Swift 6.3.1 reads a yielded value after the coroutine's memory was freed, where both are optimised in two files.
    @Test func `no accessor is a coroutine`() throws {
        for file in Repository.files(".swift", under: ["Sources/"]) {
            for (index, line) in try Repository.lines(file).enumerated() {
                let words = SwiftFunctions.code(of: line).split { $0 == " " || $0 == "{" }
                #expect(
                    !words.contains { ["_read", "_modify", "yield"].contains($0) },
                    "\(file):\(index + 1)")
            }
        }
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
