internal import Devices

/// One way in which everything that was seen could have come about: which writes were lost, what the scene did, and how
/// the camera answers.
///
/// Part of ``BrightnessFilter``, which keeps several and weighs them. Its brightness model is
/// `level = scene + response(exposure × gain)`, in logarithms.
struct BrightnessHypothesis: Sendable {
    /// The groups whose factor on brightness is known.
    static let groups: [ControlGroup] = [.exposure, .gain]
    /// How far a scene jumps where it does: a factor of 4.5 as standard deviation.
    static let jumpVariance = 1.5 * 1.5
    /// How likely a light does nothing: an output that lights nothing, or light from elsewhere that is far brighter.
    private static let uselessLight = 0.1
    /// How far from full scale a frame may be whose product reached that before: 5 %.
    private static let fullScaleVariance = 0.05 * 0.05
    /// What the scene of a group that was unknown so far may be off by.
    static let unknownVariance = 1.5 * 1.5
    /// The least that brightness varies from frame to frame: 0.2 %.
    static let leastNoise = 0.002 * 0.002
    /// The parts of a scene's noise that a frame has for itself, and that stay: by these it drifts from frame to frame.
    static let noiseShare = (own: 0.7, drift: 0.3)
    /// Changes of a product by less than a quarter (ln 1.28) show too little to say that a control has no effect.
    static let largeChange = 0.25

    /// A scene under one light.
    struct Scene: Sendable {
        let key: Int
        /// ln of the brightness that it has with its first product.
        var level: Double
        /// Frames that it was seen in since it jumped.
        var frames: Int
        /// The number of the last of them.
        var last: Int
        /// Variance beyond noise: how well the level is known, for the frames that it was seen in.
        var doubt = 0.0
        /// The product that it was seen with first; nil where that turned out to have been another one.
        var anchor: Double?
        /// What it was seen with, relative to that: known however badly the response is.
        var seen: BrightnessResponse
        /// The least product that it was at full scale with, and how bright it was then.
        var fullScale: (product: Double, level: Double)?
        /// The brightest that it was measured.
        var brightest = -Double.infinity
    }

    /// What a camera does all the time.
    ///
    /// The weights of two manners are told apart by what is seen alone, never by how many hypotheses are kept of each.
    struct Manner: Hashable, Sendable {
        /// By how many frames the camera is later than its profile says.
        var shift = PerGroup(repeating: 0)
        /// Controls that it never changes.
        var ignored: ControlGroups = []
    }

    /// ln of how likely it is, beside the others.
    var logWeight: Double
    /// What the camera has; ``PerGroup/unknown`` before the first write that took effect.
    var actual: PerGroup<Int64>
    /// What is wrong with the camera as a whole.
    var manner = Manner()
    /// Whether the first settings were not what they should be.
    let beganUnknown: Bool
    /// Groups whose first value came when frames had been seen already.
    var cameLate: ControlGroups = []
    /// Frames that are open and did not have what they should, the oldest first; and those before them.
    var deviations: [Deviation] = []
    var earlierDeviations: [Deviation] = []
    var changes = PerGroup(repeating: Changes())
    private(set) var response: BrightnessResponse
    /// The product that all hypotheses give the level 0, whatever their first frame had: which one it is must not make
    /// one of them surer than another.
    private let reference: Double
    var scenes: [Scene] = []
    /// The frame with the least product that was at full scale before anything of its scene could be measured.
    var overexposed: Overexposed?
    /// The share of the last frame's surprise that is the scene's, and the square of that surprise.
    private(set) var walked = (share: 0.0, square: 0.0)
    /// Numbers of the frames at which the scene jumped.
    private(set) var jumpedAt: [Int] = []
    /// Jumps among the last frames, and those frames, for their rate.
    private var recentJumps = 0.0
    private var recentFrames = 0.0
    /// Of a camera that is late: whether settings were written as soon as the frame before was over, when frames were
    /// left out last; and how often that was so, of all such times.
    var writesEarly = false
    var early = (count: 0.0, all: 0.0)
    /// Jumps during the last changes.
    var surprises = 0.0
    /// Whether the write before was lost, and no frame was seen since: what keeps one from a camera keeps others that
    /// are made at the same time.
    var lostLast = false
    /// The product and the claims of the last frame that was seen.
    private var last: (product: Double, claimed: PerGroup<Int64>)?

    init(
        logWeight: Double, actual: PerGroup<Int64>, first: PerGroup<Int64>, isLinear: Bool,
        beganUnknown: Bool = false
    ) {
        reference = Self.groups.reduce(0) { $0 + naturalLogarithm(Double(first[$1])) }
        self.logWeight = logWeight
        self.actual = actual
        self.beganUnknown = beganUnknown
        response = BrightnessResponse(isLinear: isLinear)
    }

    /// The same camera, if it never changes a control: it has what it began with, whatever that is.
    func ignoring(_ group: ControlGroup) -> Self {
        var next = self
        next.manner.ignored.insert(ControlGroups(group))
        next.actual[group] = PerGroup<Int64>.unknown
        return next
    }

    /// A group that was unknown has a value now: levels were of another product than it seemed.
    mutating func becomeKnown() {
        for place in scenes.indices {
            scenes[place].doubt += Self.unknownVariance
            scenes[place].anchor = nil
            scenes[place].seen.forget()
            scenes[place].fullScale = nil
        }
        overexposed = nil
        response.forget()
    }

    /// ln of exposure times gain; what is unknown counts as what was claimed first, so that the scene absorbs it.
    private func product(first: PerGroup<Int64>) -> Double {
        Self.groups.reduce(0) {
            $0 + naturalLogarithm(Double(actual[$1] < 0 ? first[$1] : actual[$1]))
        }
    }

    /// How bright a scene is, relative to the response.
    func level(of scene: Scene) -> Double {
        scene.level - (scene.anchor.map { response.expected($0).level } ?? 0)
    }

    /// How bright frames with certain settings are, relative to the scene.
    func level(of values: PerGroup<Int64>) -> Double {
        let product = Self.groups.reduce(0) { $0 + naturalLogarithm(Double(values[$1])) }
        return response.expected(product).level
    }

    // MARK: A frame

    /// Weighs a frame.
    ///
    /// - Parameters:
    ///   - number: of the frame, one more than the last one's.
    ///   - first: what was claimed first of all.
    ///   - noise: variance from frame to frame that the scene makes.
    /// - Returns: where the frame is a surprise, the same if the scene jumped at it, and as it was before.
    mutating func see(
        _ frame: BrightnessFrame, number: Int, first: PerGroup<Int64>, noise: Double
    ) -> (jumped: BrightnessHypothesis, before: BrightnessHypothesis)? {
        walked = (0, 0)
        lostLast = false
        let product = product(first: first)
        let place = scenes.firstIndex { $0.key == frame.scene }
        guard let level = frame.level else {
            if frame.isSaturated {
                seeFullScale(frame.scene, product, place, number, noise)
            } else if let place, let limit = frame.atMost {
                see(below: limit, product, place, number, noise)
            }
            return nil
        }
        guard let place else {
            response.begin(with: reference)
            weighLight(level, frame, product, number, noise)
            begin(scene(frame, level, product, number))
            weighOverexposed(frame.scene, number, noise)
            last = (product, frame.claimed)
            return nil
        }
        let expected = expectation(product, place, number, noise, bias: frame.bias)
        let spread = expected.spread + frame.variance
        let surprise = level - expected.level
        let rate = nextJumpRate()
        var found: (jumped: BrightnessHypothesis, before: BrightnessHypothesis)?
        if surprise * surprise > 4 * spread {
            var jumped = self
            jumped.logWeight +=
                naturalLogarithm(rate) - surprise.cost(variance: spread + Self.jumpVariance)
            jumped.jump(to: scene(frame, level, product, number))
            jumped.noteVisibility(frame, product)
            found = (jumped, self)
        }
        logWeight += naturalLogarithm(1 - rate) - surprise.cost(variance: spread)
        goOn(place, number, surprise, expected, spread: spread)
        noteVisibility(frame, product)
        return found
    }

    /// The first frame under a light says how bright that makes the scene; or that it does nothing, where the frame is
    /// as bright as it would be without.
    private mutating func weighLight(
        _ level: Double, _ frame: BrightnessFrame, _ product: Double, _ number: Int,
        _ noise: Double
    ) {
        guard !scenes.isEmpty else { return }
        let without = expectation(product, scenes.count - 1, number, noise, bias: frame.bias)
        let (change, spread) = (level - without.level, without.spread + frame.variance)
        logWeight += naturalLogarithm(
            Self.uselessLight * exponential(-change.cost(variance: spread))
                + (1 - Self.uselessLight)
                * exponential(-change.cost(variance: spread + Self.jumpVariance)))
    }

    /// A scene at its first frame.
    private func scene(
        _ frame: BrightnessFrame, _ level: Double, _ product: Double, _ number: Int
    ) -> Scene {
        var scene = scene(frame.scene, level, doubt: frame.variance, product, number)
        scene.brightest = level
        return scene
    }

    /// A scene whose first frame could not be measured, and is taken to have a level.
    func scene(
        _ key: Int, _ level: Double, doubt: Double, _ product: Double, _ number: Int
    ) -> Scene {
        var seen = BrightnessResponse(isLinear: response.isLinear)
        seen.begin(with: product)
        return Scene(
            key: key, level: level, frames: 1, last: number, doubt: doubt, anchor: product,
            seen: seen)
    }

    /// What a frame should look like, and the variances that make it uncertain.
    struct Expectation {
        let product: Double
        /// Of the frame.
        let level: Double
        /// Of the frame relative to the scene's first product.
        let own: Double
        let walk: Double
        let doubt: Double
        /// Of the response at the frame's product, and at that of the scene's first frame; that of the difference alone
        /// where the scene was seen with both.
        let response: (here: Double, anchor: Double)

        var spread: Double { walk + doubt + response.here + response.anchor }
    }

    /// - Parameter bias: see ``BrightnessFrame/bias``; where the scene was seen with a product, that is as it was then.
    func expectation(
        _ product: Double, _ place: Int, _ number: Int, _ noise: Double, bias: Double = 0
    ) -> Expectation {
        let scene = scenes[place]
        let gap = Double(min(30, number - scene.last))
        let share = Self.noiseShare
        let walk = noise * (share.own + share.drift * gap + 1 / Double(scene.frames))
        if !response.isLinear, let fullScale = scene.fullScale, product >= fullScale.product {
            // Since then it has become this much darker; how far beyond full scale it was nobody knows.
            let middle = min(0, scene.level - fullScale.level) / 2
            return Expectation(
                product: product, level: middle, own: middle - scene.level, walk: walk,
                doubt: scene.doubt, response: (Self.fullScaleVariance + middle * middle, 0))
        }
        var (own, here, anchor) = (0.0, 0.0, 0.0)
        if let seen = scene.seen.seen(product) {
            (own, here) = seen
        } else {
            let first = scene.anchor.map { response.expected($0) }
            let now = response.expected(product)
            (own, here, anchor) = (
                now.level - (first?.level ?? 0),
                now.variance + bias * scene.seen.unlikeness(product), first?.variance ?? 0
            )
        }
        let level = scene.level + own
        // Full scale is in the way of more light: how far an unknown response bends there is not known.
        let excess = response.isLinear ? 0 : max(0, level)
        let bent = excess > 0 ? excess * excess + 0.01 : 0
        return Expectation(
            product: product, level: level - excess, own: own - excess,
            walk: walk, doubt: scene.doubt, response: (here + bent, anchor))
    }

    /// How likely the scene jumps at the next frame.
    mutating func nextJumpRate() -> Double {
        defer {
            recentJumps *= 0.99
            recentFrames = recentFrames * 0.99 + 1
        }
        return (recentJumps + 0.5) / (recentFrames + 50)
    }

    private mutating func begin(_ scene: Scene) {
        // More lights at once than any rig has.
        if scenes.count == 16 { scenes.removeFirst() }
        scenes.append(scene)
    }

    /// The scene went on: scene and response follow what was seen, each by its part of the uncertainty, and what was a
    /// surprise besides is the scene's noise.
    private mutating func goOn(
        _ place: Int, _ number: Int, _ surprise: Double, _ expected: Expectation, spread: Double
    ) {
        var scene = scenes[place]
        if let anchor = scene.anchor {
            learn(expected, surprise, spread: spread, in: &scene, anchor)
            let gain = max(0.4, 1 / Double(scene.frames + 1))
            scene.level += surprise * (expected.doubt + gain * expected.walk) / spread
            scene.doubt *= 1 - expected.doubt / spread
        } else {
            let before = spread - expected.walk
            scene.level = expected.level + surprise * before / spread
            scene.doubt = before * (1 - before / spread)
            scene.anchor = expected.product
            scene.seen.begin(with: expected.product)
            response.begin(with: expected.product)
        }
        scene.frames += 1
        scene.last = number
        scene.brightest = max(scene.brightest, expected.level + surprise)
        if let least = scene.fullScale?.product, expected.product >= least { scene.fullScale = nil }
        scenes[place] = scene
        if expected.doubt < expected.walk { walked = (expected.walk / spread, surprise * surprise) }
    }

    /// What a frame tells of how its product's brightness is to that of the scene's first one, and so of the response.
    private mutating func learn(
        _ expected: Expectation, _ surprise: Double, spread: Double, in scene: inout Scene,
        _ anchor: Double
    ) {
        let product = expected.product
        let before = expected.response.here + expected.response.anchor
        if scene.seen.seen(product) == nil {
            let first = response.expected(anchor)
            let (here, there) = (
                expected.response.here / spread, expected.response.anchor / spread
            )
            response.learn(
                anchor, level: first.level - surprise * there,
                variance: first.variance * (1 - there))
            response.learn(
                product, level: first.level + expected.own + surprise * here,
                variance: expected.response.here * (1 - here))
        }
        let own = (
            level: expected.own + surprise * before / spread,
            variance: before * (1 - before / spread)
        )
        scene.seen.learn(product, level: own.level, variance: own.variance)
        // Whichever of both products is known better tells of the other one.
        let (first, now) = (response.expected(anchor), response.expected(product))
        if first.variance + own.variance < now.variance {
            response.learn(
                product, level: first.level + own.level, variance: first.variance + own.variance)
        } else if now.variance + own.variance < first.variance {
            response.learn(
                anchor, level: now.level - own.level, variance: now.variance + own.variance)
        }
    }

    /// The scene is another one from this frame on, under every light.
    mutating func jump(to scene: Scene) {
        scenes = [scene]
        overexposed = nil
        recentJumps += 1
        surprises += 1
        jumpedAt.append(scene.last)
        if jumpedAt.count > BrightnessFilter.window { jumpedAt.removeFirst() }
    }

    /// Takes note of whether a control that alone was changed, and by much, changes brightness at all.
    private mutating func noteVisibility(_ frame: BrightnessFrame, _ product: Double) {
        defer { last = (product, frame.claimed) }
        guard let last else { return }
        let changed = Self.groups.filter { last.claimed[$0] != frame.claimed[$0] }
        guard let group = changed.first, changed.count == 1 else { return }
        let change = naturalLogarithm(
            Double(frame.claimed[group]) / Double(last.claimed[group]))
        // A write that is late or lost is no change of brightness that could be missed.
        guard abs(change) > Self.largeChange, abs(product - last.product) > abs(change) / 2 else {
            return
        }
        let shown = response.expected(product).level - response.expected(last.product).level
        changes[group].noteLarge(isVisible: shown / change > 0.15)
    }
}
