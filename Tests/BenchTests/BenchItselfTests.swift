import Foundation
import Testing

extension InTheBench {
    /// The bench itself, before anything is proved with it.
    @Suite struct Itself {
        @Test func `the exit status comes back`() throws {
            #expect(try Bench.run(["true"]).status == 0)
            #expect(try Bench.script("exit 81").status == 81)
            #expect(try Bench.script("kill -9 $$").status == 128 + 9)
            #expect(try Bench.run(["/no/such/program"]).status == 127)
        }

        @Test func `stdout and stderr come back whole, unmixed with the kernel's words`() throws {
            let result = try Bench.script(
                """
                echo '<1>the kernel shouts' >/dev/kmsg
                for n in $(seq 2000); do echo "out $n"; echo "err $n" >&2; done
                """)
            #expect(result.stdout == (1...2000).map { "out \($0)\n" }.joined())
            #expect(result.stderr == (1...2000).map { "err \($0)\n" }.joined())
        }

        @Test func `arguments arrive as they were given`() throws {
            let words = ["", "two words", "it's", "\"$HOME\" `x` \\", "a\nb", "*", "µ", "--"]
            let result = try Bench.run(["printf", "%s|"] + words)
            #expect(result.stdout == words.map { $0 + "|" }.joined())
        }

        @Test func `the working directory and the environment are the caller's`() throws {
            let result = try Bench.script("pwd; echo \"$HOME\"")
            let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
            #expect(result.stdout == "\(Bench.repository.path)\n\(home)\n")
        }

        @Test func `the results folder keeps its path, and is all that a run leaves`() throws {
            try Bench.withFolder { folder in
                let strays = [
                    FileManager.default.temporaryDirectory, Bench.repository, URL(filePath: "/run"),
                ].map { $0.appending(path: "stray-\(UUID().uuidString)").path }
                let result = try Bench.script(
                    """
                    echo kept >'\(folder.path)/kept'
                    echo kept >"$FRAMELOCK_BENCH_OUTPUT/kept too"
                    for stray in '\(strays.joined(separator: "' '"))'; do
                        echo stray >"$stray" || echo refused
                    done
                    """, .init(output: folder))
                #expect(result.status == 0)
                let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(left.sorted() == ["kept", "kept too", "kernel.log"])
                for stray in strays {
                    #expect(!FileManager.default.fileExists(atPath: stray))
                }
                let log = try String(
                    contentsOf: folder.appending(path: "kernel.log"), encoding: .utf8)
                #expect(log.contains("Linux version"))
            }
        }

        @Test func `what a guest deletes in the temporary folder stays on the host`() throws {
            try Bench.withFolder { folder in
                let file = folder.appending(path: "kept")
                try Data("kept".utf8).write(to: file)
                let result = try Bench.script(
                    "rm -r '\(folder.path)'; mkdir '\(folder.path)'; ls -A '\(folder.path)'")
                #expect(result.status == 0)
                #expect(result.stdout.isEmpty)
                #expect(try Data(contentsOf: file) == Data("kept".utf8))
            }
        }

        @Test(arguments: [(true, "time-travel-clock\n"), (false, "timer\n")])
        func `time is virtual or real, as asked`(virtual: Bool, clock: String) throws {
            let result = try Bench.script(
                "cat /sys/devices/system/clocksource/clocksource0/current_clocksource",
                .init(virtual: virtual))
            #expect(result.stdout == clock)
        }

        @Test func `a sleep in virtual time has its length, and takes no time`() throws {
            let result = try Bench.script(
                "read -r before _ </proc/uptime; sleep 100; read -r after _ </proc/uptime; "
                    + "echo $before $after")
            let instants = result.stdout.split(whereSeparator: \.isWhitespace)
                .compactMap { Double($0) }
            try #require(instants.count == 2)
            #expect(abs(instants[1] - instants[0] - 100) < 0.05)
            // The host's clock decides nothing here: had the sleep been real, the guest had been killed.
            #expect(try Bench.run(["sleep", "100"], .init(timeoutSeconds: 60)).status == 0)
        }

        @Test func `two runs in virtual time have the same clocks to the nanosecond`() throws {
            let clocks = "date +%s.%N; sleep 0.1; date +%s.%N; cat /proc/uptime"
            let first = try Bench.script(clocks)
            #expect(first.status == 0)
            #expect(first.stdout == (try Bench.script(clocks)).stdout)
        }

        @Test func `a guest that never ends is killed, and what it said is kept`() throws {
            let mark = "framelock-bench-mark-\(UUID().uuidString)"
            let result = try Bench.script(
                "echo \(mark); while :; do :; done",
                .init(timeoutSeconds: 5, kernelArguments: ["mark=\(mark)"]))
            #expect(result.status == Bench.timedOut)
            #expect(result.stdout == "\(mark)\n")
            // All processes of a guest show its kernel's command line; none of them is left on the host.
            #expect(try Bench.host(["/usr/bin/pgrep", "-f", mark]).status == 1)
        }

        @Test func `a guest that panics says so`() throws {
            let result = try Bench.script("echo c >/proc/sysrq-trigger", .init(timeoutSeconds: 60))
            #expect(result.status == Bench.noReport)
            #expect(result.stderr.contains("sysrq triggered crash"))
        }

        @Test func `loopback works`() throws {
            let result = try Bench.run(["busybox", "ping", "-c", "1", "127.0.0.1"])
            #expect(result.status == 0)
        }
    }
}
