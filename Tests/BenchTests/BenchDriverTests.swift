import Foundation
import Testing

extension InTheBench {
    /// The drivers of the bench are there, and only those a test asked for.
    @Suite struct Drivers {
        private static let cameraNames = "cat /sys/class/video4linux/video*/name"

        @Test func `there is no camera unless one was asked for`() throws {
            let result = try Bench.script("ls /sys/class/video4linux")
            #expect(result.status == 0)
            #expect(result.stdout.isEmpty)
        }

        @Test func `vivid brings as many cameras as were asked for`() throws {
            let result = try Bench.script(Self.cameraNames, .init(vivid: 2))
            let captures = result.stdout.split(separator: "\n").filter { $0.hasSuffix("vid-cap") }
            #expect(captures == ["vivid-000-vid-cap", "vivid-001-vid-cap"])
        }

        @Test func `vimc brings its media graph`() throws {
            let result = try Bench.script(
                Self.cameraNames + "; test -c /dev/media0; test -c /dev/v4l-subdev0",
                .init(vimc: true))
            #expect(result.status == 0)
            #expect(result.stdout.contains("Raw Capture 0\n"))
        }

        @Test func `uvcvideo waits at a USB port that a program can plug a camera into`() throws {
            let result = try Bench.script(
                """
                test -d /sys/bus/usb/drivers/uvcvideo
                cat /sys/devices/platform/vhci_hcd.0/status
                """)
            #expect(result.status == 0)
            let speeds = result.stdout.split(separator: "\n").dropFirst().map { $0.prefix(2) }
            #expect(speeds.contains("hs") && speeds.contains("ss"))
        }
    }

    /// The simulated lines, and the equipment that drives and watches them.
    @Suite struct SimulatedLines {
        private static let create = "gpio-sim create rig line0=GPIO17 line1=GPIO27 >/dev/null; "

        /// The cells of a table of comma-separated values, without its header.
        private static func rows(_ table: String) -> [[Substring]] {
            table.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
        }

        /// Puts levels out on GPIO27, 3 ms each and the first of them high, then lets go of the line.
        private static let putOut = """
            /usr/bin/python3 -c '
            import fcntl, os, struct, time
            chip = os.open("/dev/gpiochip0", os.O_RDWR)
            # struct gpio_v2_line_request: line 1, named, as an output that is low; the descriptor comes last.
            request = struct.pack("<64I32sQI5I", 1, *[0] * 63, b"test", 1 << 3, 0, *[0] * 5)
            request += bytes(240) + struct.pack("<II5Ii", 1, 0, *[0] * 5, 0)
            line = struct.unpack("<i", fcntl.ioctl(chip, 0xC250B407, request)[-4:])[0]
            for level in (1, 0, 1):
                fcntl.ioctl(line, 0xC010B40F, struct.pack("<QQ", level, 1))
                time.sleep(0.003)
            '
            """

        /// Asks a chip for its label and the names of its lines.
        private static let ask = """
            /usr/bin/python3 -c '
            import fcntl, os, struct
            chip = os.open("/dev/gpiochip0", os.O_RDWR)
            # struct gpiochip_info: name, label, number of lines.
            answer = fcntl.ioctl(chip, 0x8044B401, bytes(68))
            name, label, count = struct.unpack("<32s32sI", answer)
            print(name.rstrip(b"\\0").decode(), label.rstrip(b"\\0").decode(), count)
            for offset in range(count):
                # struct gpio_v2_line_info: name, consumer, offset, and what does not matter here.
                asked = struct.pack("<64xI188x", offset)
                line = fcntl.ioctl(chip, 0xC100B405, asked)[:32].rstrip(b"\\0").decode()
                print(offset, line or "-")
            '
            """

        @Test func `a chip has its label and its named lines`() throws {
            let result = try Bench.script(
                "gpio-sim create rig line0=GPIO17 line2=GPIO27 >/dev/null; " + Self.ask)
            #expect(result.stdout == "gpiochip0 rig 3\n0 GPIO17\n1 -\n2 GPIO27\n")
        }

        @Test func `an input shows the level it is driven to`() throws {
            let result = try Bench.script(
                Self.create
                    + """
                    gpio-sim read rig GPIO17
                    gpio-sim drive rig GPIO17 1; gpio-sim read rig GPIO17
                    gpio-sim drive rig 0 0; gpio-sim read rig 0
                    """)
            #expect(result.stdout == "0\n1\n0\n")
        }

        @Test func `a mistaken line or chip is named, with what there is`() throws {
            let line = try Bench.script(Self.create + "gpio-sim read rig GPIO99")
            #expect(line.status == 1)
            #expect(line.stderr.contains("no line 'GPIO99'; its names are: GPIO17 GPIO27"))
            let chip = try Bench.script("gpio-sim read gir GPIO17")
            #expect(chip.status == 1)
            #expect(chip.stderr.contains("no chip 'gir'"))
        }

        @Test func `a pulse train keeps its delays in virtual time, and does not drift`() throws {
            let result = try Bench.script(
                Self.create
                    + """
                    gpio-sim play rig GPIO17 --repeat 500 --log /tmp/edges 1.5 20.25
                    cat /tmp/edges
                    """)
            let rows = Self.rows(result.stdout)
            try #require(rows.count == 1000)
            #expect(rows.map { $0[2] } == (0..<1000).map { $0.isMultiple(of: 2) ? "1" : "0" })
            let instants = rows.compactMap { Int($0[0]) }
            for (index, instant) in instants.enumerated() {
                let pairs = index / 2 * 21_750_000
                let expected = pairs + (index.isMultiple(of: 2) ? 0 : 20_250_000)
                #expect(abs(instant - instants[0] - expected) <= 10_000, "edge \(index)")
            }
        }

        @Test func `the watch sees an output's every level, and its release`() throws {
            let result = try Bench.script(
                Self.create
                    + """
                    gpio-sim watch rig GPIO27 --output /tmp/changes &
                    sleep 0.1
                    \(Self.putOut)
                    sleep 0.1
                    kill %1
                    wait
                    cat /tmp/changes
                    """)
            let rows = Self.rows(result.stdout)
            #expect(rows.map { $0[1] } == .init(repeating: "GPIO27", count: rows.count))
            #expect(rows.map { $0[2] } == ["0", "1", "0", "1", "0"])
            #expect(rows.map { $0[3] } == ["initial", "set", "set", "set", "sampled"])
            let instants = rows.compactMap { Int($0[0]) }
            try #require(instants.count == 5)
            // What sets the line sleeps 3 ms, plus what the kernel adds to a sleep of ordinary priority.
            #expect(abs(instants[2] - instants[1] - 3_000_000) < 150_000)
            #expect(abs(instants[3] - instants[2] - 3_000_000) < 150_000)
        }
    }
}
