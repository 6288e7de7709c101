import Devices
import Imaging
import Testing

@testable import LinuxDevices

/// Plans for reports of boards, judged by the model of the kernel.
@Suite("Graph plans") struct GraphPlanTests {
    /// Reports whose sensor can send embedded data under that kernel.
    private static let withMetadata: Set = [
        "pi5-imx477", "pi5-imx477-after-libcamera", "pi5-two-cameras",
        "pi5-mainline-imx219-streams", "pi4-imx477", "pi4-mainline-imx219-internal-pads",
        "pi4-mainline-imx219-route-left",
    ]

    @Test(arguments: try GraphFixtures.names(), [true, false])
    func `every board starts, virgin or as another program left it`(
        name: String, wantsMetadata: Bool
    ) throws {
        for (place, device) in try GraphFixtures.report(name).devices.enumerated() {
            let receiver = try GraphFixtures.receiver(of: device)
            let played = try PlayedPlan(device, wantsMetadata: wantsMetadata, receiver: receiver)
            let refusal = try played.start()
            #expect(refusal == nil, "\(name): \(refusal?.description ?? "")")
            let expected = wantsMetadata && place == 0 && Self.withMetadata.contains(name)
            #expect(
                (played.plan.metadata != nil) == expected, "\(played.plan.withoutMetadata ?? "")")
            #expect((played.plan.withoutMetadata != nil) == (wantsMetadata && !expected))
        }
    }

    @Test(arguments: try GraphFixtures.names())
    func `a receiver that nobody has described starts too`(name: String) throws {
        for device in try GraphFixtures.report(name).devices {
            // What the graph itself can't say: that every enabled node counts.
            if name.hasSuffix("after-libcamera"), name.contains("pi5") { continue }
            let played = try PlayedPlan(device, wantsMetadata: false, receiver: nil)
            #expect(try played.start() == nil, "\(name)")
        }
    }

    @Test(arguments: try GraphFixtures.names(), [true, false])
    func `links, routes, flips and formats are put back as they were`(
        name: String, wantsMetadata: Bool
    ) throws {
        for device in try GraphFixtures.report(name).devices {
            let played = try PlayedPlan(
                device, wantsMetadata: wantsMetadata,
                receiver: try GraphFixtures.receiver(of: device))
            _ = played.executor.putBack()
            #expect(played.model.state.topology == device.topology)
            for (entity, part) in device.subdevices {
                let now = played.model.state.subdevices[entity]
                #expect(now?.controls == part.controls)
                #expect(now?.routes.filter(\.isActive) == part.routes.filter(\.isActive))
                let name = device.topology.entity(entity)?.name ?? ""
                // A format that a driver makes up again from others may differ in what nobody set.
                guard device.topology.entity(entity).map(device.topology.isOrigin) == true else {
                    continue
                }
                #expect(now?.formats == part.formats, "\(name)")
            }
        }
    }

    @Test func `an order of colours that was told before a flip is not missed afterwards`() throws {
        var device = try #require(
            try GraphFixtures.report("pi4-debian-imx219-flipped").devices.first)
        for (entity, part) in device.subdevices {
            for (pad, format) in part.formats where format.code == 0x3007 {
                device.subdevices[entity]?.formats[pad]?.code = 0x300F
            }
        }
        let played = try PlayedPlan(
            device, wantsMetadata: false, receiver: try GraphFixtures.receiver(of: device))
        #expect(played.executor.putBack() == [])
    }

    @Test(arguments: [
        "pi5-imx477", "pi5-imx477-after-libcamera", "pi4-imx477",
        "pi4-mainline-imx219-internal-pads",
    ])
    func `a request that is refused half-way leaves nothing changed`(name: String) throws {
        let device = try #require(try GraphFixtures.report(name).devices.first)
        let receiver = try GraphFixtures.receiver(of: device)
        let count = try PlayedPlan(device, receiver: receiver, perform: false).plan.operations.count
        for failing in 0..<count {
            let played = try PlayedPlan(device, receiver: receiver, perform: false)
            let some = Array(played.plan.operations.prefix(failing))
            try played.executor.perform(some)
            #expect(played.executor.putBack().isEmpty)
            #expect(played.model.state.topology == device.topology)
        }
    }

    @Test func `embedded data go by the pads that carry them, and their node starts first`() throws
    {
        let device = try #require(try GraphFixtures.report("pi5-imx477").devices.first)
        let played = try PlayedPlan(device, receiver: try GraphFixtures.receiver(of: device))
        let topology = device.topology
        let copies = played.plan.operations.compactMap { operation -> String? in
            guard case .copyFormat(let pad, let source) = operation else { return nil }
            return "\(topology.text(ofPad: source.pad)) > \(topology.text(ofPad: pad.pad))"
        }
        #expect(copies.contains("`imx477 10-001a`:1 > `csi2`:1"))
        #expect(copies.contains("`csi2`:1 > `csi2`:5"))
        #expect(!copies.contains { $0.contains("embedded") })
        let names = played.plan.startOrder.map { topology.entity($0)?.name }
        #expect(names == ["rp1-cfe-embedded", "rp1-cfe-csi2_ch0"])
        #expect(played.plan.stopOrder == played.plan.startOrder.reversed())
    }

    @Test func `no sub-device format is ever sent to a node`() throws {
        for name in try GraphFixtures.names() {
            for device in try GraphFixtures.report(name).devices {
                let played = try PlayedPlan(
                    device, receiver: try GraphFixtures.receiver(of: device), perform: false)
                for operation in played.plan.operations {
                    switch operation {
                    case .setFormat(let pad, _), .copyFormat(let pad, _), .readFormat(let pad):
                        let entity = device.topology.pad(pad.pad).flatMap {
                            device.topology.entity($0.entity)
                        }
                        #expect(entity?.isNode == false, "\(name): \(entity?.name ?? "")")
                    default: break
                    }
                }
            }
        }
    }

    @Test func `each pad gets the whole of what the one before it answered`() throws {
        for name in ["pi5-imx477", "pi5-mainline-imx219", "pi4-debian-imx219"] {
            let device = try #require(try GraphFixtures.report(name).devices.first)
            let played = try PlayedPlan(
                device, wantsMetadata: false, receiver: try GraphFixtures.receiver(of: device))
            let formats = played.plan.way.flatMap { step in
                [step.sink, step.source].compactMap { $0 }.compactMap {
                    played.model.state.subdevices[$0.entity]?.formats[PadStream(pad: $0.id)]
                }
            }
            #expect(formats.count >= 3)
            #expect(Set(formats).count == 1, "\(name): \(formats)")
            #expect(formats.allSatisfy { $0.field == 1 && $0.colorspace == 11 })
        }
    }

    @Test func `what libcamera left is cut, also the link that begins at a node`() throws {
        let device = try #require(
            try GraphFixtures.report("pi5-imx477-after-libcamera").devices.first)
        let played = try PlayedPlan(
            device, wantsMetadata: false, receiver: try GraphFixtures.receiver(of: device))
        let cuts = played.plan.operations.compactMap { operation -> String? in
            guard case .link(let link, false) = operation else { return nil }
            return device.topology.text(of: link)
        }
        #expect(
            Set(cuts) == [
                "`csi2`:4 to `pisp-fe`:0", "`csi2`:5 to `rp1-cfe-embedded`:0",
                "`pisp-fe`:2 to `rp1-cfe-fe_image0`:0", "`pisp-fe`:4 to `rp1-cfe-fe_stats`:0",
                "`rp1-cfe-fe_config`:0 to `pisp-fe`:1",
            ])
    }

    @Test func `a sensor with internal pads ends the walk`() throws {
        let device = try #require(
            try GraphFixtures.report("pi4-mainline-imx219-internal-pads").devices.first)
        let node = try #require(device.topology.entity(named: "unicam-image"))
        let way = device.way(to: node)
        #expect(way.first?.sink == nil)
        let parts = device.topology.parts(behind: way).map(\.name)
        #expect(parts == ["imx219 10-0010", "unicam"])
    }

    @Test func `a route that was left is taken away when its data are not wanted`() throws {
        let device = try #require(
            try GraphFixtures.report("pi4-mainline-imx219-route-left").devices.first)
        let played = try PlayedPlan(
            device, wantsMetadata: false, receiver: try GraphFixtures.receiver(of: device))
        #expect(try played.start() == nil)
        // Untouched, the sensor would wait for the metadata node.
        let image = BusFormat(width: 640, height: 480, code: 0x2006, field: 1)
        let untouched = KernelModel(device, .unicam)
        #expect(untouched.start([(played.plan.node, image)]) != nil)
    }

    @Test func `flips are off before the format is set`() throws {
        let device = try #require(
            try GraphFixtures.report("pi4-debian-imx219-flipped").devices.first)
        let played = try PlayedPlan(
            device, wantsMetadata: false, receiver: try GraphFixtures.receiver(of: device))
        let kinds = played.plan.operations.map { operation in
            switch operation {
            case .control: "flip"
            case .setFormat, .copyFormat: "format"
            default: "other"
            }
        }
        let lastFlip = try #require(kinds.lastIndex(of: "flip"))
        let firstFormat = try #require(kinds.firstIndex(of: "format"))
        #expect(kinds.count { $0 == "flip" } == 2)
        #expect(lastFlip < firstFormat)
    }

    @Test func `a flip that is wanted stays, and the order of colours it makes is asked for`()
        throws
    {
        let device = try #require(try GraphFixtures.report("pi4-debian-imx219").devices.first)
        let node = try GraphFixtures.imageNode(of: device)
        let flip = ControlValue(CameraControl(rawValue: 0x0098_0914), 1)
        func perform(_ pixels: String) throws {
            let request = GraphRequest(
                node: node.id, pixelFormat: try #require(PixelFormat.named(pixels)),
                size: try #require(FrameSize(width: 1920, height: 1080)), layout: [flip])
            let plan = try GraphPlanner(
                snapshot: device, receiver: try GraphFixtures.receiver(of: device),
                request: request
            ).plan()
            try GraphExecutor(try GraphFixtures.model(device), found: device, path: "/dev/media0")
                .perform(plan.operations)
        }
        try perform("SGRBG10P")
        let error = try #require(throws: DeviceError.self) { try perform("SRGGB10P") }
        #expect(error.message.contains("ask for SGRBG10"))
    }
}
