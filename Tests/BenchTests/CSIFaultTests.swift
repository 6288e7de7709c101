import Testing

extension InTheBench {
    /// Each fault of the CSI bench does what it says, and a program sees of it what it would see of a real one.
    @Suite struct CSIFaults {
        @Test func `frames and interrupts are lost, late, and end for good`() throws {
            let faults = "drop@3,late:2000@5,lose-start@7,lose-end@9,die@14"
            let capture = try CSICapture(CSIBoard("imx219", faults: faults), .imx219Fast, 20)
            // The picture of 7 is thrown away, the one of 10 is lost by the driver: 9 is told with the time of 10.
            #expect(try capture.values("number") == [0, 1, 2, 4, 5, 6, 8, 9, 11, 12, 13, 14])
            // A frame that was never sent leaves no gap, nor does a lost end.
            #expect(try capture.values("sequence") == [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12])
            #expect(capture.truth.keys.sorted() == Array(0...14))
            #expect(capture.truth.filter { $0.value["sent"] == "0" }.keys.sorted() == [3])
            for frame in capture.frames {
                let number = try frame.required("number")
                let late = try frame.required("timestamp_ns") - frame.required("start_ns")
                let expected =
                    [5: 2_000_000, 9: Int(CSIMode.imx219Fast.period)][number] ?? 0
                #expect(abs(late - expected) <= 1000, "frame \(number) is \(late) ns late")
            }
        }

        @Test func `writes are lost one after the other, and only those of the control named`()
            throws
        {
            let capture = try CSICapture(
                CSIBoard("imx219", faults: "lose-write:exposure:2@2"), .imx219Fast, 12,
                ["exposure=100@3", "exposure=200@4", "gain=50@4", "exposure=300@5"])
            let streaming = try #require(capture.truth[0]).required("start_ns")
            let writes = try capture.writes.filter { try $0.required("at_ns") > streaming }
            #expect(writes.map { $0["control"] } == ["exposure", "exposure", "gain", "exposure"])
            #expect(writes.map { $0["taken"] } == ["0", "0", "1", "1"])
            let exposures = Set(capture.truth.values.map { $0["exposure_lines"] })
            #expect(exposures == ["1600", "300"])
            #expect(try capture.firstNumber("gain_code", is: 50) == 5)
            #expect(try capture.firstNumber("lost_writes", is: 1) == 4)
            #expect(capture.stderr.isEmpty, "nobody is told")
        }

        @Test func `a write that the bus refuses is an error`() throws {
            let capture = try CSICapture(
                CSIBoard("imx219", faults: "nak@4"), .imx219Fast, 10, ["gain=10@4", "gain=20@6"])
            #expect(capture.stderr == "capture: gain = 10: Remote I/O error\n")
            #expect(Set(capture.truth.values.map { $0["gain_code"] }) == ["0", "20"])
        }

        @Test func `a sensor that is not there leaves a receiver without nodes`() throws {
            let result = try Bench.script(
                """
                hardware/bench/csi/capture --size 640x480 --code SRGGB8 || echo "status $?"
                ls /dev/video* 2>/dev/null || echo none
                """, .init(csi: CSIBoard("imx219", options: "absent=1")))
            #expect(result.stdout == "status 1\nnone\n")
            #expect(result.stderr == "capture: there is no sensor at port 0\n")
        }

        @Test func `a sensor that is faster than its driver says sends sooner`() throws {
            let capture = try CSICapture(
                CSIBoard("ov5647", options: "speed-ppm=1250000"), .ov5647, 4)
            let period = try capture.period(after: 1)
            #expect(abs(Double(period) * 1.25 - CSIMode.ov5647.period) <= 1.25)
            #expect(try capture.values("pixel_rate").allSatisfy { $0 == 72_916_667 })
        }

        @Test func `faults come at every so many frames, and can be asked for while frames come`()
            throws
        {
            let capture = try CSICapture(
                CSIBoard("imx219"), .imx219Fast, 20,
                before: "echo drop@2/5,late:100@3-4 >$port/faults")
            #expect(capture.numbers(withFault: "drop").prefix(4) == [2, 7, 12, 17])
            #expect(capture.numbers(withFault: "late") == [3, 4])
        }

        @Test func `what is not understood is refused`() throws {
            let result = try Bench.script(
                """
                port=/sys/kernel/debug/framelock-csi/port0
                for text in drop late@3 'lose-write:colour@1' drop@x drop@1/0 'drop~0' nothing@1; do
                    echo "$text" >$port/faults && echo "$text taken"
                done
                for text in exposure=5 exposure=-1 gain= colour=1; do
                    echo "$text" >$port/options && echo "$text taken"
                done
                true
                """, .init(csi: CSIBoard("imx219")))
            #expect(result.status == 0)
            #expect(result.stdout.isEmpty)
        }
    }
}
