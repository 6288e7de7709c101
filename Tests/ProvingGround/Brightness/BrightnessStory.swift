import Foundation
import Simulation

/// A camera, a scene and a plan, from a seed: which writes are lost, and how bright each frame is.
///
/// Shares nothing with the filter that is to find out: the scene is made here, and the response by formulas of its own.
struct BrightnessStory: Sendable {
    enum Plan: String, CaseIterable, Sendable { case bracket, gains, lapse, linearity, mixed }
    enum Response: String, CaseIterable, Sendable { case linear, unknownLinear, gamma, offset }
    enum Scene: String, CaseIterable, Sendable {
        case still, drifting, flickering, jumping, erratic, selfExposing
    }

    /// What a camera does with all that is written to it.
    enum Camera: String, CaseIterable, Sendable {
        case obedient, withoutExposure, withoutGain, lateByOne, lateByThree

        /// By how many frames it is later than its profile says.
        var delay: Int { self == .lateByOne ? 1 : self == .lateByThree ? 3 : 0 }
    }

    let plan: Plan
    let response: Response
    let camera: Camera
    let scene: Scene
    /// The share of writes that are lost.
    let lossRate: Double
    /// Brightness of 2 ms at unity gain, of full scale.
    let brightness: Double
    /// Exposure in nanoseconds and gain in millionths, by frame: what was asked for, and what the camera had.
    private(set) var claims: [(exposure: Int64, gain: Int64)] = []
    private(set) var truth: [(exposure: Int64, gain: Int64)] = []
    /// Brightness by frame; nil where it is saturated, or too dark to be measured.
    private(set) var levels: [(value: Double?, isSaturated: Bool)] = []

    private var random: SplitMix64

    init(seed: UInt64, frames: Int) {
        var random = SplitMix64(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value {
            values[Int(random.next() % UInt64(values.count))]
        }
        plan = pick(Plan.allCases)
        response = pick(Response.allCases)
        scene = pick(Scene.allCases)
        // An automatic that makes up for everything leaves nothing to lose.
        lossRate = scene == .selfExposing || scene == .erratic ? 0 : pick([0, 0.01, 0.05, 0.2])
        brightness = pick([0.003, 0.01, 0.06])
        // Three in four do what they should, and each of the others something else.
        var cameras = SplitMix64(seed: seed ^ 0xCA3E_4A00)
        let draw = Int(cameras.next() % 16)
        let isFixed = scene == .selfExposing || scene == .erratic
        camera = isFixed || draw >= 4 ? .obedient : Camera.allCases[draw + 1]
        self.random = random
        for frame in 0..<frames { claims.append(claim(frame)) }
        play()
    }

    private mutating func claim(_ frame: Int) -> (exposure: Int64, gain: Int64) {
        let place = frame - 5
        switch plan {
        case .bracket:
            let exposures: [Int64] = [125_000, 500_000, 2_000_000, 8_000_000, 32_000_000]
            return (place < 0 ? 2_000_000 : exposures[place % 5], 1_000_000)
        case .gains:
            let gains: [Int64] = [1_000_000, 2_000_000, 4_000_000, 8_000_000]
            return (4_000_000, place < 0 ? 1_000_000 : gains[place / 3 % 4])
        case .lapse:
            let exposures: [Int64] = [2_000_000, 8_000_000, 32_000_000]
            return (place < 0 ? 8_000_000 : exposures[place % 3], 1_000_000)
        case .linearity:
            return (
                100_000 + Int64(frame / 2 % 17) * 5_993_750,
                frame / 34 % 2 == 0 ? 1_000_000 : 4_000_000
            )
        case .mixed:
            let exposure = Int64(1_000_000) << Int64(random.next() % 4)
            return (exposure, 1_000_000 * (1 + Int64(random.next() % 3)))
        }
    }

    private mutating func play() {
        var had: (exposure: Int64, gain: Int64) = (3_300_000, 1_500_000)
        var (light, iris) = (0.0, 0.0)
        for frame in claims.indices {
            follow(frame, &had)
            truth.append(had)
            switch scene {
            case .still, .selfExposing: break
            case .drifting: light += 0.01 * normal()
            case .flickering: light = 0.1 * normal()
            case .jumping: if uniform() < 0.05 { light = normal() }
            case .erratic: light = normal()
            }
            var electrons =
                brightness * exp(light + iris) * Double(had.exposure) / 2e6
                * Double(had.gain) / 1e6
            if scene == .selfExposing {
                iris += log(0.3 / electrons)
                electrons =
                    brightness * exp(iris) * Double(had.exposure) / 2e6
                    * Double(had.gain) / 1e6
            }
            levels.append(measure(electrons))
        }
    }

    /// What the camera has at a frame: it shows what was written for this one, or for an earlier one.
    private mutating func follow(_ frame: Int, _ had: inout (exposure: Int64, gain: Int64)) {
        let place = frame - camera.delay
        guard place >= 0 else { return }
        let claim = claims[place]
        let before = place > 0 ? claims[place - 1] : (exposure: -1, gain: -1)
        if claim.exposure != before.exposure, !isLost(), camera != .withoutExposure {
            had.exposure = claim.exposure
        }
        if claim.gain != before.gain, !isLost(), camera != .withoutGain { had.gain = claim.gain }
    }

    private mutating func measure(_ electrons: Double) -> (value: Double?, isSaturated: Bool) {
        var level =
            switch response {
            case .linear, .unknownLinear: electrons
            case .gamma: pow(min(1, electrons), 0.5) + 0.01
            case .offset: electrons + 0.02
            }
        level = level * (1 + 0.001 * normal()) + 0.000_02 * normal()
        if level >= 0.98 { return (nil, true) }
        return (level < 0.000_03 ? nil : level, false)
    }

    private mutating func isLost() -> Bool { uniform() < lossRate }
    private mutating func uniform() -> Double { Double(random.next() >> 11) / 0x1p53 }
    private mutating func normal() -> Double {
        sqrt(-2 * log(max(uniform(), 1e-300))) * cos(2 * .pi * uniform())
    }
}
