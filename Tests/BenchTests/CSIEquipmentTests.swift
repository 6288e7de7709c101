import Testing

extension InTheBench {
    /// What the CSI bench has around its sensors: flips, lenses, second cameras, triggers, chance.
    @Suite struct CSIEquipment {
        @Test func `a flipped picture moves its colours, not what it says of itself`() throws {
            let flipped = CSIMode(
                board: "imx219", width: 1640, height: 1232, code: "SBGGR10",
                lines: 1763, pixels: 3448, rate: (182_400_000, 1))
            let capture = try CSICapture(
                CSIBoard("imx219"), flipped, 3, ["hflip=1@open", "vflip=1@open"])
            #expect(try capture.values("number") == [0, 1, 2])
        }

        @Test func `a lens in focus shows the most contrast`() throws {
            let capture = try CSICapture(
                CSIBoard("imx219-lens", options: "best-focus=300,focus-width=50"), .imx219, 9,
                ["focus=250@0", "focus=300@3", "focus=400@6"])
            #expect(try capture.values("lens") == [0, 250, 250, 250, 300, 300, 300, 400, 400])
            let contrast = try capture.values("contrast")
            #expect(abs(contrast[1] * 2 - contrast[4]) <= 2, "half of it one width away")
            #expect(abs(contrast[7] * 5 - contrast[4]) <= 5, "a fifth of it two widths away")
        }

        @Test func `two cameras stream at once, each with its own receiver`() throws {
            let result = try Bench.script(
                """
                capture=hardware/bench/csi/capture
                $capture --size 1640x1232 --code SRGGB10 --frames 8 >/tmp/one &
                $capture --port 1 --size 1456x1088 --code SBGGR10 --frames 8 >/tmp/two
                wait
                cat /tmp/one; echo ---; cat /tmp/two
                """, .init(csi: CSIBoard("imx219-imx296")))
            let parts = result.stdout.split(separator: "---\n").map { Table(String($0)).rows }
            try #require(parts.count == 2)
            let wanted = [("0219", 33_326_886), ("0296", 16_562_963)]
            for (rows, (sensor, period)) in zip(parts, wanted) {
                #expect(rows.map { $0["sensor"] } == Array(repeating: sensor, count: 8))
                let starts = try rows.map { try $0.required("start_ns") }
                let periods = zip(starts, starts.dropFirst()).map { $1 - $0 }
                #expect(periods.allSatisfy { abs($0 - period) <= 1 })
            }
        }

        @Test func `two runs are the same to the nanosecond, another seed is another run`() throws {
            func run(seed: Int) throws -> CSICapture {
                let board = CSIBoard(
                    "ov5647", options: "noise=40,seed=\(seed)", faults: "drop~100,late:300~100")
                return try CSICapture(board, .ov5647, 40, ["exposure=200@7", "gain=77@13"])
            }
            let runs = [try run(seed: 7), try run(seed: 7)]
            #expect(runs[0].stdout == runs[1].stdout)
            let drops = runs[0].numbers(withFault: "drop")
            #expect(!drops.isEmpty)
            #expect(try run(seed: 8).numbers(withFault: "drop") != drops)
        }

        @Test func `noise has the mean and the size asked for`() throws {
            let capture = try CSICapture(
                CSIBoard("ov9281", options: "noise=64"), .ov9281, 4, more: "--keep /tmp/pixels",
                after: """
                    python3 -B - <<'END'
                    import statistics, sys
                    sys.path.insert(0, 'hardware/bench/csi')
                    import frames
                    data = open('/tmp/pixels', 'rb').read(320000)
                    values = [frames.pixel(data, 800, 10, row, column)
                              for row in range(64, 400, 7) for column in range(320)]
                    print(f'{statistics.mean(values):.3f} {statistics.pstdev(values):.3f}')
                    END
                    """)
            let figures = capture.after.split(whereSeparator: \.isWhitespace).compactMap {
                Double($0)
            }
            try #require(figures.count == 2)
            // 64 without light, and 12 counts a millisecond for 642 lines.
            #expect(abs(figures[0] - (64 + 12 * 6.139125)) < 0.3, "\(figures)")
            #expect(abs(figures[1] - 4) < 0.2, "\(figures)")
        }

        @Test func `a line triggers an imx296, and its pulse is the exposure`() throws {
            let capture = try CSICapture(
                CSIBoard("imx296", options: "trigger=1"), .imx296, 3,
                before: """
                    echo 1 >$port/trigger
                    { sleep 0.2; for seconds in 0.005 0.01 0.02; do
                        echo 0 >$port/trigger; sleep $seconds; echo 1 >$port/trigger; sleep 0.03
                    done; } &
                    """)
            let exposures = try capture.values("exposure_ns")
            try #require(exposures.count == 3)
            // Starting `sleep` takes readings of the clock, at 256 ns each.
            for (exposure, pulse) in zip(exposures, [5_000_000, 10_000_000, 20_000_000]) {
                let least = pulse + 14_260
                #expect((least...least + 200_000).contains(exposure))
            }
        }
    }
}
