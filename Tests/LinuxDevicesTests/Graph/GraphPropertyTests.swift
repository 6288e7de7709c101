import Devices
import TestSupport
import Testing

@testable import LinuxDevices

/// Graphs in whatever state other programs may have left them.
@Suite("Graph plans of any state") struct GraphPropertyTests {
    private static let seeds: Range<UInt64> = 0..<60

    @Test(arguments: try GraphFixtures.names())
    func `a plan starts the stream whatever was left, and puts it back`(name: String) throws {
        for device in try GraphFixtures.report(name).devices {
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let left = Self.leftOver(device, &random)
                let wantsMetadata = Bool.random(using: &random)
                let receiver = try GraphFixtures.receiver(of: device)
                let played = try PlayedPlan(left, wantsMetadata: wantsMetadata, receiver: receiver)
                let refusal = try played.start()
                #expect(refusal == nil, "\(name), seed \(seed): \(refusal?.description ?? "")")
                _ = played.executor.putBack()
                #expect(played.model.state.topology == left.topology, "\(name), seed \(seed)")
            }
        }
    }

    /// The judge is no friend of everything: most states do not start as they are.
    @Test func `the model of the kernel refuses graphs that nobody set up`() throws {
        let device = try #require(try GraphFixtures.report("pi5-imx477").devices.first)
        let node = try GraphFixtures.imageNode(of: device)
        var refused = 0
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            let model = KernelModel(Self.leftOver(device, &random), .cfeDownstream)
            let image = BusFormat(width: 1920, height: 1080, code: 0x3012, field: 1)
            if model.start([(node.id, image)]) != nil { refused += 1 }
        }
        #expect(refused == Self.seeds.count)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `the judge sees each mistake of a plan`(mistake: Int) throws {
        let device = try #require(
            try GraphFixtures.report("pi5-imx477-after-libcamera").devices.first)
        let receiver = try GraphFixtures.receiver(of: device)
        let played = try PlayedPlan(
            device, wantsMetadata: mistake != 2, receiver: receiver, perform: false)
        let kept = played.plan.operations.filter { operation in
            switch (mistake, operation) {
            // Nothing is cut; nothing is enabled; the format stays at the sensor; embedded data have no format.
            case (0, .link(_, false)), (1, .link(_, true)), (2, .copyFormat): false
            case (3, .link(let link, false)):
                !device.topology.text(of: link).contains("fe_config")
            default: true
            }
        }
        try played.executor.perform(kept)
        #expect(try played.start() != nil)
    }

    /// Any links, flips, formats and routes that programs could have made of a graph.
    private static func leftOver(
        _ device: MediaSnapshot, _ random: inout SeededGenerator
    ) -> MediaSnapshot {
        var left = device
        for place in left.topology.links.indices where !left.topology.links[place].isFixed {
            left.topology.links[place].isEnabled = Bool.random(using: &random)
        }
        for entity in left.subdevices.keys.sorted() {
            guard var part = left.subdevices[entity] else { continue }
            for place in part.controls.indices {
                part.controls[place].code = Bool.random(using: &random) ? 1 : 0
            }
            for pad in part.formats.keys.sorted(by: { ($0.pad, $0.stream) < ($1.pad, $1.stream) }) {
                guard part.formats[pad]?.isMetadata == false, part.formats[pad]?.code != 1 else {
                    continue
                }
                part.formats[pad]?.width = UInt32(random.number(1...64) * 16)
                part.formats[pad]?.field = Bool.random(using: &random) ? 1 : 0
                part.formats[pad]?.colorspace = UInt32(random.number(0...12))
            }
            left.subdevices[entity] = part
        }
        return left
    }
}
