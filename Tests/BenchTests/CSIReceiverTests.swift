import Foundation
import Testing

extension InTheBench {
    /// The look-alikes of the receivers of the Raspberry Pi's kernels: what they take, and what they refuse and how.
    @Suite(.serialized) struct CSIReceivers {
        private static let cfe = CSISections.of("imx219-cfe", ["cfe"])
        private static let mainline = CSISections.of(
            "imx219-cfe-mainline", ["mainline"], streams: true)
        private static let debian = CSISections.of("imx219-cfe-debian", ["debian"])
        private static let unicamStreams = CSISections.of(
            "imx219-unicam-streams", ["unicam_streams"], streams: true)
        private static let legacy = CSISections.of("imx219-legacy", ["legacy"])
        private static let legacyVideo = CSISections.of("imx219-legacy-video", ["legacy_video"])
        private static let image = "rp1-cfe-csi2_ch0"

        @Test func `the Pi 5's receiver has its links, and none of them is on but the sensor's`()
            throws
        {
            let links = try Self.cfe.get()["links"]
            #expect(links.count == 13)
            let fixed = links.filter { $0.hasSuffix("enabled immutable") }
            #expect(
                Set(fixed) == [
                    "imx219 0-0010:0 -> csi2:0 enabled immutable",
                    "imx219 0-0010:1 -> csi2:1 enabled immutable",
                ])
            #expect(links.count { $0.contains("enabled") } == 2)
            for link in [
                "csi2:4 -> rp1-cfe-csi2_ch0:0", "csi2:5 -> rp1-cfe-embedded:0",
                "csi2:4 -> pisp-fe:0", "pisp-fe:2 -> rp1-cfe-fe_image0:0",
                "pisp-fe:4 -> rp1-cfe-fe_stats:0", "rp1-cfe-fe_config:0 -> pisp-fe:1",
            ] {
                #expect(links.contains(link))
            }
        }

        @Test func `set as it wants it, it streams at the sensor's rate from number 0`() throws {
            let sections = try Self.cfe.get()
            #expect(
                sections["set"] == [
                    "SRGGB10 1640x1232 field 1 colorspace 11",
                    "SRGGB10 1640x1232 field 1 colorspace 11",
                    "pRAA 1640x1232 stride 2064 bytes 2542848",
                ])
            let frames = sections.frames("right", of: Self.image)
            #expect(frames.map(\.sequence) == [0, 1, 2, 3])
            // 1763 lines of 3448 pixels at 182.4 MHz.
            for (before, after) in zip(frames, frames.dropFirst()) {
                #expect(abs(after.microseconds - before.microseconds - 33_327) <= 2)
            }
        }

        @Test(
            "each way to set it wrong is refused as the original refuses it",
            arguments: [
                ("no link", "EINVAL"), ("field any", "EPIPE"), ("16-bit code", "EINVAL"),
                ("front end left on", "EPIPE"), ("other metadata", "EPIPE"),
            ])
        func refused(section: String, error: String) throws {
            let said = try Self.cfe.get()[section].filter { $0.contains("STREAMON") }
            #expect(said == ["\(Self.image) STREAMON: \(error)"])
        }

        @Test(
            "STREAMON succeeds and nothing comes while an enabled node does not stream",
            arguments: ["idle node", "configuration left on"])
        func idle(section: String) throws {
            let lines = try Self.cfe.get()[section]
            #expect(lines.suffix(2) == ["\(Self.image) STREAMON", "nothing in 1 s"])
        }

        @Test func `with every branch cut that libcamera left on, it streams`() throws {
            let sections = try Self.cfe.get()
            let links = sections["after libcamera"]
            #expect(links.contains("csi2:4 -> pisp-fe:0 enabled"))
            #expect(links.contains("rp1-cfe-fe_config:0 -> pisp-fe:1 enabled"))
            #expect(links.contains("csi2:4 -> rp1-cfe-csi2_ch0:0"))
            #expect(sections.frames("all cut", of: Self.image).map(\.sequence) == [0, 1, 2])
        }

        @Test func `the front end streams with its configuration, and takes 16 bits`() throws {
            let sections = try Self.cfe.get()
            let frames = sections.frames("front end", of: "rp1-cfe-fe_image0")
            #expect(frames.map(\.sequence) == [0, 1, 2])
            #expect(sections.frames("front end", of: "rp1-cfe-fe_config").count == 3)
        }

        @Test func `a 16-bit node takes a 10-bit pad, and has the pixels in its high bits`() throws
        {
            let sections = try Self.cfe.get()
            #expect(sections.frames("16-bit node", of: Self.image).count == 3)
            let frames = sections.frames("16-bit node of a 10-bit pad", of: Self.image)
            let first = try #require(frames.first?.bytes)
            #expect(first.count == 4)
            // Six zero bits below the ten of the pixel.
            #expect(first[0] & 0x3f == 0 && first[1] != 0)
        }

        @Test func `image and metadata have the same numbers and the same times`() throws {
            let sections = try Self.cfe.get()
            let images = sections.frames("both", of: Self.image)
            let metadata = sections.frames("both", of: "rp1-cfe-embedded")
            #expect(images.map(\.sequence) == [0, 1, 2])
            #expect(images.map(\.microseconds) == metadata.map(\.microseconds))
            // The tag of embedded data in the SMIA manner; a filler follows four bytes of RAW10.
            #expect(metadata.allSatisfy { $0.bytes == [0x0a, 0xaa, 0x00, 0xa5, 0x55] })
        }

        @Test func `frames without a buffer leave a gap, and a lost frame end leaves none`() throws
        {
            let sections = try Self.cfe.get()
            let starved = sections.frames("no buffers", of: Self.image)
            #expect(starved.prefix(5).map(\.sequence) == [0, 1, 2, 3, 4])
            let last = try #require(starved.last)
            #expect(last.sequence > 10)
            let periods = Double(last.microseconds - starved[0].microseconds) / 33_326.7
            #expect(Int(periods.rounded()) == last.sequence)
            let lost = sections.frames("lost end", of: Self.image)
            #expect(lost.map(\.sequence) == [0, 1, 2, 3])
        }

        @Test func `the mainline's has one sink, streams, and formats of lines of metadata`() throws
        {
            let sections = try Self.mainline.get()
            #expect(sections["links"].contains("imx219 0-0010:0 -> csi2:0 enabled immutable"))
            #expect(sections["links"].contains("csi2:2 -> rp1-cfe-csi2-ch1:0"))
            #expect(sections["formats"].first == "META_10 1640x2 field 1 colorspace 0")
            #expect(sections["formats"].last == "meta MC1A 4100 bytes 1640x2 stride 2050")
            #expect(sections["idle node"].last == "nothing in 1 s")
            let images = sections.frames("both", of: "rp1-cfe-csi2-ch0")
            #expect(images.map(\.sequence) == [0, 1, 2])
            #expect(
                images.map(\.microseconds)
                    == sections.frames("both", of: "rp1-cfe-csi2-ch1").map(\.microseconds))
            // Not as downstream: a node's format must be in the table with the pad's very code.
            #expect(
                sections["16-bit node of a 10-bit pad"].last?.hasSuffix("STREAMON: EINVAL") == true)
        }

        @Test func `with Debian's sensor driver and no streams, the mainline's has the image`()
            throws
        {
            let sections = try Self.debian.get()
            #expect(
                sections.frames("stream", of: "rp1-cfe-csi2-ch0").map(\.sequence) == [0, 1, 2])
            #expect(sections["routes"] == ["SUBDEV_S_ROUTING: ENOTTY"])
        }

        @Test func `a sensor with internal pads gives the real unicam driver its metadata`() throws
        {
            let sections = try Self.unicamStreams.get()
            let images = sections.frames("both", of: "unicam-image")
            let metadata = sections.frames("both", of: "unicam-embedded")
            #expect(images.map(\.sequence) == [0, 1, 2])
            #expect(images.map(\.microseconds) == metadata.map(\.microseconds))
            #expect(metadata.allSatisfy { $0.bytes == [0x0a, 0xaa, 0x00, 0xa5, 0x55] })
        }

        @Test func `the Pi 4's receiver hangs on the sensor itself, packed or unpacked`() throws {
            let sections = try Self.legacy.get()
            #expect(
                sections["links"].filter { $0.contains("->") } == [
                    "imx219 0-0010:0 -> unicam-image:0 enabled immutable",
                    "imx219 0-0010:1 -> unicam-embedded:0 enabled immutable",
                ])
            #expect(sections["other size"].last == "unicam-image STREAMON: EINVAL")
            #expect(sections["packed"].first == "pRAA 1640x1232 stride 2080 bytes 2562560")
            #expect(sections["unpacked"].first == "RG10 1640x1232 stride 3296 bytes 4060672")
            let packed = try #require(sections.frames("packed", of: "unicam-image").first?.bytes)
            let unpacked = try #require(
                sections.frames("unpacked", of: "unicam-image").first?.bytes)
            // The first pixel: high eight bits first, its low two in the fifth byte; or little-endian.
            let pixel = Int(packed[0]) << 2 | Int(packed[4]) & 3
            #expect(pixel == Int(unpacked[0]) | Int(unpacked[1]) << 8)
            #expect(
                sections.frames("both", of: "unicam-image").map(\.microseconds)
                    == sections.frames("both", of: "unicam-embedded").map(\.microseconds))
        }

        @Test func `who merely holds unicam-embedded open keeps the image from coming`() throws {
            let sections = try Self.legacy.get()
            #expect(sections["held"] == ["unicam-image STREAMON", "nothing in 1 s"])
            #expect(sections.frames("released", of: "unicam-image").count == 3)
        }

        @Test func `without the media controller the node sets the sensor and has its controls`()
            throws
        {
            let sections = try Self.legacyVideo.get()
            #expect(
                sections["set by the node"] == [
                    "pRAA 1920x1080 stride 2400 bytes 2592000",
                    "SRGGB10 1920x1080 field 1 colorspace 11",
                ])
            #expect(sections["set by the sensor"] == ["imx219 0-0010:0/0: EPERM"])
            #expect(sections["controls"] == ["exposure: 1600"])
            #expect(sections.frames("stream", of: "unicam-image").count == 3)
        }
    }
}
