import Devices
import Imaging
import Testing

@testable import LinuxDevices

/// What can't be set up, or does not start, and what is said of it.
@Suite("Graph plans that fail") struct GraphRefusalTests {
    @Test func `unpacked samples are refused where the receiver can't keep them`() throws {
        let device = try #require(try GraphFixtures.report("pi5-imx477").devices.first)
        let request = GraphRequest(
            node: try GraphFixtures.imageNode(of: device).id,
            pixelFormat: try #require(PixelFormat.named("SRGGB12")),
            size: try #require(FrameSize(width: 1920, height: 1080)))
        let planner = GraphPlanner(
            snapshot: device, receiver: try GraphFixtures.receiver(of: device), request: request)
        let error = try #require(throws: DeviceError.self) { try planner.plan() }
        #expect(error.message.contains("rp1-cfe-downstream"))
        #expect(error.message.contains("ask for SRGGB12P"))
    }

    @Test func `embedded data whose route is refused are done without by a second plan`() throws {
        let device = try #require(
            try GraphFixtures.report("pi4-mainline-imx219-internal-pads").devices.first)
        let receiver = try GraphFixtures.receiver(of: device)
        let model = try GraphFixtures.model(device)
        model.refusesRoutes = true
        let first = try PlayedPlan(device, receiver: receiver, model: model, perform: false)
        let error = try #require(throws: DeviceError.self) {
            try first.executor.perform(first.plan.operations)
        }
        #expect(error.message.contains("the routes of `unicam`"))
        #expect(first.executor.putBack().isEmpty)
        let second = try PlayedPlan(device, wantsMetadata: false, receiver: receiver, model: model)
        #expect(try second.start() == nil)
    }

    @Test func `a program that holds the metadata node open is what the sensor waits for`() throws {
        let device = try #require(try GraphFixtures.report("pi4-imx477").devices.first)
        let played = try PlayedPlan(
            device, wantsMetadata: false, receiver: try GraphFixtures.receiver(of: device))
        let embedded = try #require(device.topology.entity(named: "unicam-embedded"))
        #expect(try played.start(held: [embedded.id]) == .waits(for: ["unicam-embedded"]))
        let idle = IdleNodes(
            snapshot: played.model.state, receiver: try GraphFixtures.receiver(of: device),
            plan: played.plan)
        #expect(idle.entities.map(\.name) == ["unicam-embedded"])
    }

    @Test func `nodes that others enable afterwards are named when no frame comes`() throws {
        let device = try #require(try GraphFixtures.report("pi5-imx477").devices.first)
        let receiver = try GraphFixtures.receiver(of: device)
        let played = try PlayedPlan(device, wantsMetadata: false, receiver: receiver)
        let link = try #require(
            device.topology.links.first { device.topology.text(of: $0).contains("fe_config") })
        #expect(played.model.setLink(link, isEnabled: true) == nil)
        #expect(try played.start() == .waits(for: ["rp1-cfe-fe_config"]))
        let idle = IdleNodes(snapshot: played.model.state, receiver: receiver, plan: played.plan)
        #expect(idle.entities.map(\.name) == ["rp1-cfe-fe_config"])
    }

    @Test func `a link in use by others is named`() throws {
        let device = try #require(
            try GraphFixtures.report("pi5-imx477-after-libcamera").devices.first)
        let receiver = try GraphFixtures.receiver(of: device)
        let played = try PlayedPlan(device, receiver: receiver, perform: false)
        played.model.busy = ["`csi2`:4 to `pisp-fe`:0"]
        let error = try #require(throws: DeviceError.self) {
            try played.executor.perform(played.plan.operations)
        }
        #expect(error.kind == .busy)
        #expect(error.message.contains("the link from `csi2`:4 to `pisp-fe`:0"))
    }
}
