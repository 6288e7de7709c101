import Devices
import Foundation
import Tracking

/// Cameras that lose writes, in front of scenes that do what scenes do.
public struct BrightnessProof: Proof {
    /// As `framelock-prove` calls it.
    public static let name = "brightness"
    /// What holds.
    public static let claim =
        "pixels never confirm a wrong setting in a run that they do not refute, and refute no right one in still and drifting scenes"
    /// 300 frames each.
    public static let caseCount = 2_000

    private static let frames = 300
    /// Pixels may refute a right setting of this share of frames in scenes that are neither still nor drifting; with
    /// fewer frames than it takes to see that, of so many.
    private static let falseAlarms = (share: 0.000_1, fewest: 3)

    /// What became of frames of a kind of scene.
    struct Counts: Sendable {
        var right = 0
        var rightRefuted = 0
        var rightConfirmed = 0
        var rightDoubted = 0
        var wrong = 0
        var wrongRefuted = 0
        var wrongDoubted = 0
        var wrongConfirmed = 0
        /// Of frames that are saturated or dark: nothing can show these.
        var wrongUnseen = 0

        mutating func add(_ other: Counts) {
            right += other.right
            rightRefuted += other.rightRefuted
            rightConfirmed += other.rightConfirmed
            rightDoubted += other.rightDoubted
            wrong += other.wrong
            wrongRefuted += other.wrongRefuted
            wrongDoubted += other.wrongDoubted
            wrongConfirmed += other.wrongConfirmed
            wrongUnseen += other.wrongUnseen
        }

        var text: String {
            let found = wrongRefuted + wrongDoubted
            return
                "of \(right) right settings \(rightConfirmed) confirmed, \(rightDoubted) doubted,"
                + " \(rightRefuted) refuted; of \(wrong) wrong ones \(wrongRefuted) refuted,"
                + " \(wrongDoubted) doubted, \(wrong - found - wrongUnseen) missed,"
                + " \(wrongConfirmed) of them confirmed, \(wrongUnseen) too bright or too dark to be seen"
        }
    }

    private struct Result: Sendable {
        let scene: BrightnessStory.Scene
        let camera: BrightnessStory.Camera
        let counts: Counts
        let complaints: [String]
    }

    private var counts: [BrightnessStory.Scene: Counts] = [:]
    private var wrongCameras: [BrightnessStory.Camera: Counts] = [:]

    /// Creates a proof without cases.
    public init() {}

    /// A line for each kind of scene, and for each kind of camera that does something wrong all the time.
    public var figures: [String] {
        let scenes = BrightnessStory.Scene.allCases.compactMap { scene in
            counts[scene].map { "\(scene.rawValue): \($0.text)" }
        }
        let cameras = BrightnessStory.Camera.allCases.compactMap { camera in
            wrongCameras[camera].map { "\(camera.rawValue): \($0.text)" }
        }
        return scenes + cameras
    }

    /// Tries some stories.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        let results = try Workers.map(cases) { number in Self.check(UInt64(number)) }
        for result in results {
            if result.camera == .obedient {
                counts[result.scene, default: Counts()].add(result.counts)
            } else {
                wrongCameras[result.camera, default: Counts()].add(result.counts)
            }
        }
        var complaints = results.flatMap(\.complaints)
        for (scene, sum) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let most = max(
                Self.falseAlarms.fewest, Int(Double(sum.right) * Self.falseAlarms.share))
            if sum.rightRefuted > most {
                complaints.append("\(scene.rawValue): \(sum.rightRefuted) right settings refuted")
            }
        }
        return complaints
    }

    private static func check(_ seed: UInt64) -> Result {
        let story = BrightnessStory(seed: seed, frames: frames)
        var filter = BrightnessFilter(isLinear: story.response == .linear)
        var findings: [BrightnessFilter.Finding] = []
        for (frame, claim) in story.claims.enumerated() {
            let level = story.levels[frame]
            filter.take(
                BrightnessFrame(
                    name: Int64(frame),
                    claimed: PerGroup {
                        $0 == .exposure ? claim.exposure : $0 == .gain ? claim.gain : 0
                    },
                    certainty: PerGroup(repeating: .reported), level: level.value.map { log($0) },
                    variance: level.value.map { pow(0.000_03 / $0, 2) + 1e-6 } ?? 1,
                    isSaturated: level.isSaturated)
            ) { findings.append($0) }
        }
        filter.finish { findings.append($0) }
        return judge(story, findings, seed)
    }

    /// Holds findings against the truth.
    private static func judge(
        _ story: BrightnessStory, _ findings: [BrightnessFilter.Finding], _ seed: UInt64
    ) -> Result {
        var (counts, complaints) = (Counts(), [String]())
        var confirmed: [String] = []
        var isRefuted = false
        var doubted = PerGroup(repeating: 0)
        for finding in findings {
            let frame = Int(finding.name)
            let (claim, had) = (story.claims[frame], story.truth[frame])
            for (group, isRight) in [
                (ControlGroup.exposure, claim.exposure == had.exposure),
                (.gain, claim.gain == had.gain),
            ] {
                let verdict = finding.verdicts[group]
                let place = "seed \(seed): frame \(frame): \(group.name)"
                if case .contradicted = verdict { isRefuted = true }
                if verdict == .doubted { doubted[group] += 1 }
                let isVisible = story.levels[frame].value != nil
                if let wrong = Self.count(
                    verdict, isRight: isRight, isVisible: isVisible, &counts)
                {
                    if wrong, story.camera == .obedient,
                        story.scene == .still || story.scene == .drifting
                    {
                        complaints.append("\(place) is right and refuted (\(story.scene))")
                    } else if !wrong {
                        confirmed.append(
                            "\(place) is wrong and confirmed (\(story.plan), \(story.response), \(story.scene), \(story.camera))"
                        )
                    }
                }
            }
        }
        // Neither is a run believed of which more than a third is doubted.
        isRefuted = isRefuted || max(doubted[.exposure], doubted[.gain]) * 3 > frames
        if !isRefuted { complaints += confirmed }
        return Result(
            scene: story.scene, camera: story.camera, counts: counts, complaints: complaints)
    }

    /// Counts a verdict.
    ///
    /// - Returns: true for a right setting that is refuted, false for a wrong one that is confirmed, else nil.
    private static func count(
        _ verdict: PixelVerdict, isRight: Bool, isVisible: Bool, _ counts: inout Counts
    ) -> Bool? {
        if isRight { counts.right += 1 } else { counts.wrong += 1 }
        switch (verdict, isRight) {
        case (.unseen, true): break
        case (.unseen, false): counts.wrongUnseen += isVisible ? 0 : 1
        case (.doubted, true): counts.rightDoubted += 1
        case (.doubted, false): counts.wrongDoubted += 1
        case (.confirmed, true): counts.rightConfirmed += 1
        case (.confirmed, false):
            counts.wrongConfirmed += 1
            return false
        case (.contradicted, true):
            counts.rightRefuted += 1
            return true
        case (.contradicted, false): counts.wrongRefuted += 1
        }
        return nil
    }
}
