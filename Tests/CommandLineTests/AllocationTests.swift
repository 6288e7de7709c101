import Foundation
import TestSupport
import Testing

/// The capture thread allocates nothing while it runs: counted from outside, in the program as people have it.
struct AllocationTests {
    /// Counts what the capture thread asks of the allocator: the first thread of its name that is not the main one.
    private static let counter = """
        #define _GNU_SOURCE
        #include <stdio.h>
        #include <string.h>
        #include <sys/prctl.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);
        extern void *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
        static __thread int state;
        static long count;
        static void note(void) {
            static int first;
            if (state == 0) {
                char name[16] = {0};
                int none = 0, me = syscall(SYS_gettid);
                prctl(PR_GET_NAME, name);
                if (me != getpid() && strcmp(name, "framelock") != 0) return;
                state = 2;
                if (me != getpid() && __atomic_compare_exchange_n(&first, &none, me, 0, 5, 5)) state = 1;
            }
            if (state == 1) count++;
        }
        void *malloc(size_t n) { note(); return __libc_malloc(n); }
        void *calloc(size_t n, size_t m) { note(); return __libc_calloc(n, m); }
        void *realloc(void *p, size_t n) { note(); return __libc_realloc(p, n); }
        void *aligned_alloc(size_t a, size_t n) { note(); return __libc_memalign(a, n); }
        int posix_memalign(void **p, size_t a, size_t n) {
            note();
            *p = __libc_memalign(a, n);
            return *p ? 0 : 12;
        }
        __attribute__((destructor)) static void tell(void) { fprintf(stderr, "allocations %ld\\n", count); }
        """

    /// A build that is not optimised allocates where others do not.
    private static let program =
        (try? BuiltProgram.optimizedFolder(of: ["framelock"]).appending(path: "framelock").path)
        ?? ""
    private static let isPossible =
        !program.isEmpty && FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")

    private func run(_ program: String, _ arguments: [String], preload: String? = nil) throws
        -> String
    {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        if let preload {
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["LD_PRELOAD": preload]
            ) { $1 }
        }
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(text)")
        return text
    }

    @Test(.enabled(if: isPossible, "needs an optimised build and a C compiler"))
    func `four hundred frames with settings of their own take no more memory than forty`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "framelock-allocations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, library) = (
            folder.appending(path: "count.c").path, folder.appending(path: "count.so").path
        )
        try Self.counter.write(toFile: source, atomically: true, encoding: .utf8)
        _ = try run("/usr/bin/cc", ["-shared", "-fPIC", "-O1", "-o", library, source])
        let counts = try [10, 100].map { rounds in
            let recipe = folder.appending(path: "\(rounds).yaml").path
            try """
            framelock: 1
            name: allocations
            camera: {use: simulated, format: {pixels: GREY, size: 320x240, rate: 60 fps}}
            lock: {exposure: {duration: 8 ms, gain: 2.0x}}
            sequence:
              - repeat: \(rounds)
                do:
                  - bracket: {exposure: [1 ms, 2 ms], gain: [1.0x, 2.0x]}
                  - bracket: {burst: 2, atomic: {retries: 1}}
            """.write(toFile: recipe, atomically: true, encoding: .utf8)
            let said = try run(
                Self.program,
                ["run", "--quiet", recipe, "--output", folder.appending(path: "\(rounds)").path],
                preload: library)
            let line = try #require(
                said.split(separator: "\n").last { $0.hasPrefix("allocations ") })
            return try #require(Int(line.dropFirst("allocations ".count)))
        }
        // Beginning and end of a run allocate, a few more or less by the length of its figures.
        #expect(counts[0] > 0)
        #expect(abs(counts[1] - counts[0]) < 20, "\(counts)")
    }
}
