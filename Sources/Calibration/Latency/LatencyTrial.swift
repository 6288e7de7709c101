internal import Devices
internal import Timebase

/// One step of a control and the frames around it: which of them shows it, and which was being exposed at the write.
struct LatencyTrial {
    /// A frame near the step.
    struct Frame {
        /// How many frames after the one before it; anything but 1 is a gap.
        var step: Int64
        /// The driver's timestamp, untouched.
        var timestamp: Instant<Monotonic>
        /// Nil where the frame is damaged or shows nothing; then the trial is made again.
        var level: SignalLevel?
        /// The earliest and the latest moment at which its readout can have begun.
        var readout: (earliest: Instant<Monotonic>, latest: Instant<Monotonic>)
    }

    /// Why a trial has no result, and is repeated.
    enum Disturbance: String, Error, Hashable, CaseIterable {
        /// A frame between the write and the one that shows it is missing, or damaged.
        case framesLost = "frames were lost"
        /// Levels went up and down, or another way than the step should.
        case unsteady = "the picture was unsteady"
        /// Nothing changed.
        case noEffect = "nothing changed"
        /// The device refused the write.
        case refused = "the write was refused"
        /// Somebody else wrote.
        case externalChange = "another program or the camera itself changed a control"
    }

    /// The result of a trial.
    struct Seen: Hashable {
        /// Frames from the one being exposed at the write to the first that shows it, as far as timestamps determine
        /// it: if they do so exactly, both are the same.
        var least: Int64
        var most: Int64
        /// Whether the first frame showed it in some rows and not in others.
        var isSplit: Bool
    }

    /// Three frames from before the write, then all since, in order; see ``levelFrames``.
    var frames: [Frame]
    /// When the device got the write: not before, and not after.
    var write: (begun: Instant<Monotonic>, ended: Instant<Monotonic>)
    /// How far the step should go; negative downwards.
    var expectedChange: Int64
    /// Whether the way is gone gradually, as a lens goes it: then its middle is what shows.
    var isGradual = false

    /// How many frames a level is taken from, before and after; their median, so that one odd frame does not count.
    static let levelFrames = 3

    /// Levels before and after, of one part of the picture; ``progress(_:)`` divides by their distance, so it is asked
    /// only where they differ.
    private struct Ends {
        var before: Int64
        var after: Int64

        /// How much of the way a level has gone, in thousandths.
        func progress(_ level: Int64) -> Int64 {
            Int64(Int128(level - before) * 1_000 / Int128(after - before))
        }
    }

    /// Judges the trial.
    ///
    /// With the frame's first change at a and its whole change at b, and the frame being exposed at the write between k
    /// and k′, a latency of `a − k` frames at the most is not too late and one of `b − k′` at the least not too early.
    ///
    /// A frame begins to change where any part of it has gone more than a quarter of the way, and has changed where
    /// every part has gone more than three quarters; a gradual signal does both at the middle. Before the first change
    /// no part may lie more than half of the way below where it began, after the whole change none more than half of
    /// the way from its end.
    ///
    /// - Returns: what was seen; a failure where frames are missing, nothing changed, or levels went up and down.
    func judge() -> Result<Seen, Disturbance> {
        // Frames that were delivered, and so read out, before the write show what was before.
        guard let ends = ends({ $0.whole }),
            let first = frames.firstIndex(where: { $0.readout.latest >= write.begun }),
            let last = frames.firstIndex(where: { $0.readout.earliest > write.ended })
        else { return .failure(.framesLost) }
        let change = ends.after - ends.before
        guard change.magnitude * 2 >= expectedChange.magnitude,
            change.signum() == expectedChange.signum()
        else { return .failure(.noEffect) }
        let levels = frames.map(\.level)
        guard levels.allSatisfy({ $0 != nil }), frames.dropFirst().allSatisfy({ $0.step == 1 })
        else { return .failure(.framesLost) }
        let rows = [self.ends { $0.top }, self.ends { $0.bottom }].map { usable($0, change) }
        let progress: [[Int64]] = levels.compactMap { $0 }.map { level in
            [
                ends.progress(level.whole),
                rows[0].flatMap { ends in level.top.map(ends.progress) },
                rows[1].flatMap { ends in level.bottom.map(ends.progress) },
            ].compactMap { $0 }
        }
        let marks: (begins: Int64, ready: Int64) = isGradual ? (500, 500) : (250, 750)
        guard let begins = progress.firstIndex(where: { $0.contains { $0 > marks.begins } }),
            let ready = progress.firstIndex(where: { $0.allSatisfy { $0 > marks.ready } }),
            progress[ready...].allSatisfy({ $0.allSatisfy { (500...1_500).contains($0) } }),
            progress[..<begins].allSatisfy({ $0.allSatisfy { $0 >= -500 } })
        else { return .failure(.unsteady) }
        let split = progress[begins].dropFirst()
        return .success(
            Seen(
                least: Int64(ready - last), most: Int64(begins - first),
                isSplit: split.contains { $0 < 500 } && split.contains { $0 >= 500 }))
    }

    /// The medians of the first and the last three frames, of one part of the picture; nil where any of them has none.
    private func ends(_ part: (SignalLevel) -> Int64?) -> Ends? {
        func median(_ frames: some Sequence<Frame>) -> Int64? {
            let levels = frames.compactMap { $0.level.flatMap(part) }.sorted()
            return levels.count == Self.levelFrames ? levels[levels.count / 2] : nil
        }
        guard frames.count >= 2 * Self.levelFrames,
            let before = median(frames.prefix(Self.levelFrames)),
            let after = median(frames.suffix(Self.levelFrames))
        else { return nil }
        return Ends(before: before, after: after)
    }

    /// Rows that show the step at least a quarter as much as the middle does: a picture may have none there.
    ///
    /// Rows are looked at apart to see whether a control takes effect in the middle of a frame.
    private func usable(_ ends: Ends?, _ change: Int64) -> Ends? {
        guard let ends, (ends.after - ends.before).magnitude * 4 >= change.magnitude else {
            return nil
        }
        return ends
    }
}
