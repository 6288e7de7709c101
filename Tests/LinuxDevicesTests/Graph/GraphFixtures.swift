import Devices
import Foundation
import Imaging
import Notation
import Recipes
import Testing

@testable import LinuxDevices

/// Reports of boards, and the receivers that they have.
enum GraphFixtures {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let repository = tests.deletingLastPathComponent().deletingLastPathComponent()

    /// The names of all reports.
    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: tests.appending(path: "Fixtures").path
        ).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    static func text(_ name: String) throws -> String {
        try String(
            contentsOf: tests.appending(path: "Fixtures/\(name).json"), encoding: .utf8)
    }

    static func report(_ name: String) throws -> MediaReport {
        let bytes = Array(try text(name).utf8)
        return try MediaReport(try JSONReader.read(bytes[...], name: "\(name).json"))
    }

    /// The receivers of the project.
    static func receivers() throws -> [ReceiverModel] {
        let folder = repository.appending(path: "hardware/receivers")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }.sorted().map { name in
                let data = try Data(contentsOf: folder.appending(path: name))
                return try ReceiverModelDecoder.decode(
                    SourceFile(name: name, bytes: Array(data)))
            }
    }

    static func receiver(of device: MediaSnapshot) throws -> ReceiverModel? {
        ReceiverModel.fitting(
            driver: device.information.driver, entities: device.topology.entities.map(\.name),
            among: try receivers())
    }

    static func model(_ device: MediaSnapshot) throws -> KernelModel {
        let kind: KernelModel.Receiver =
            switch try receiver(of: device)?.name {
            case "rp1-cfe-downstream": .cfeDownstream
            case "rp1-cfe": .cfeMainline
            case "unicam-downstream": .unicamDownstream
            case "unicam": .unicam
            default: .plain
            }
        return KernelModel(device, kind)
    }

    /// The node of a device that frames of its sensor come from.
    static func imageNode(of device: MediaSnapshot) throws -> MediaTopology.Entity {
        let name = try receiver(of: device)?.image.node ?? "Raw Capture 0"
        return try #require(device.topology.entity(named: name))
    }

    /// A format that the sensors of a device have.
    static func format(of device: MediaSnapshot) throws -> (PixelFormat, FrameSize) {
        let sensor = try #require(device.topology.entities.first { $0.function == 0x2_0001 })
        let pad = try #require(device.topology.pads(of: sensor.id).first { $0.isSource })
        let code = device.subdevices[sensor.id]?.formats[PadStream(pad: pad.id)]?.code
        let is12 = code == 0x3012
        let pixels = try #require(
            PixelFormat.named(
                device.information.driver == "vimc" ? "SRGGB10" : is12 ? "SRGGB12P" : "SRGGB10P"))
        return (pixels, try #require(FrameSize(width: 1920, height: 1080)))
    }
}

/// A plan that is carried out in the model of the kernel.
struct PlayedPlan {
    let model: KernelModel
    let executor: GraphExecutor
    let plan: GraphPlan
    let request: GraphRequest

    init(
        _ device: MediaSnapshot, wantsMetadata: Bool = true, receiver: ReceiverModel?,
        model: KernelModel? = nil, perform: Bool = true
    ) throws {
        let node = try GraphFixtures.imageNode(of: device)
        let (pixels, size) = try GraphFixtures.format(of: device)
        request = GraphRequest(
            node: node.id, pixelFormat: pixels, size: size, wantsMetadata: wantsMetadata)
        let model = try model ?? GraphFixtures.model(device)
        self.model = model
        plan = try GraphPlanner(snapshot: device, receiver: receiver, request: request).plan()
        executor = GraphExecutor(model, found: device, path: "/dev/media0")
        if perform { try executor.perform(plan.operations) }
    }

    /// What the kernel says to the start, in the plan's own order.
    func start(held: Set<UInt32> = []) throws -> KernelModel.Refusal? {
        let image = BusFormat.frames(
            code: try #require(BusCode.of(request.pixelFormat)), width: request.size.width,
            height: request.size.height)
        let nodes = try plan.startOrder.map { entity in
            entity == plan.node
                ? (entity, image)
                : (entity, try #require(plan.metadata.flatMap { executor.formats[$0.pad] }))
        }
        return model.start(nodes, held: held)
    }
}
