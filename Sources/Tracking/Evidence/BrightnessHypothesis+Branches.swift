internal import Devices
internal import Timebase

extension BrightnessHypothesis {
    /// ln of how likely a write is to come late that was lost so far.
    private static let lateWrite = -5.0
    /// The same for one that the driver did not report.
    private static let unreportedWrite = -0.7
    /// ln of how likely a camera has a certain value that no write explains.
    private static let strayValue = -9.0
    /// How likely a write that the driver did not report is not to be there.
    private static let chanceUnreported = 0.3
    /// How likely a write is lost if one was that was made with it, at least.
    private static let lostTogether = 0.22

    /// What the camera may have at the next frame: its writes came through, or were lost, or came late.
    func branches(_ frame: BrightnessFrame, claims: Claims) -> [BrightnessHypothesis] {
        timings(claims).flatMap { $0.branches(frame, claims) }
    }

    /// When settings may have been written that came after frames that were left out: a camera that is late has them
    /// in time if that was early.
    private func timings(_ claims: Claims) -> [BrightnessHypothesis] {
        guard claims.leftOut > 0, Self.groups.contains(where: { isShifted($0, claims) }) else {
            return [self]
        }
        var (soon, late) = (self, self)
        // As often as it was so far (Laplace's rule of succession).
        let chance = (early.count + 1) / (early.all + 2)
        soon.logWeight += naturalLogarithm(chance)
        soon.early = (early.count + 1, early.all + 1)
        soon.writesEarly = true
        late.logWeight += naturalLogarithm(1 - chance)
        late.early.all += 1
        late.writesEarly = false
        return [soon, late]
    }

    private func isShifted(_ group: ControlGroup, _ claims: Claims) -> Bool {
        manner.shift[group] > 0 && claims.isWrite(group)
    }

    private func branches(_ frame: BrightnessFrame, _ claims: Claims) -> [BrightnessHypothesis] {
        var all = [self]
        for group in Self.groups where !manner.ignored.has(group) {
            // The frames that were left out first: what a late camera got meanwhile.
            for behind in (0...claims.leftOut).reversed() {
                let place = manner.shift[group] + behind
                let own = claims[place, isEarly: writesEarly][group]
                let isWrite =
                    own != claims[place + 1, isEarly: writesEarly][group]
                    || place == 0 && frame.written.has(group)
                // Nothing was written, and nothing is outstanding: the most frequent case by far.
                if !isWrite, behind > 0 || all.allSatisfy({ $0.actual[group] == own }) { continue }
                all = all.flatMap { one in
                    if frame.certainty[group] == .proven {
                        return [one.having(frame.claimed, group)]
                    }
                    return isWrite
                        ? one.written(own, group, frame.certainty[group])
                        : one.outstanding(own, group, frame.certainty[group])
                }
            }
        }
        return all
    }

    /// The same camera, with a value that no write explains.
    ///
    /// - Parameters:
    ///   - value: of the group.
    ///   - claimed: what the frame should have.
    ///   - number: of the frame.
    func straying(
        to value: Int64, _ group: ControlGroup, claimed: PerGroup<Int64>, _ number: Int
    ) -> Self {
        var next = having(late: value, group)
        next.logWeight += Self.strayValue
        next.changes[group].note(isLost: true)
        next.noteDeviation(from: claimed, number)
        return next
    }

    /// With a group's value, which may have been unknown before.
    private func having(_ values: PerGroup<Int64>, _ group: ControlGroup) -> Self {
        var next = self
        if actual[group] < 0 { next.becomeKnown() }
        next.actual[group] = values[group]
        return next
    }

    /// With a value that came without a write for this frame.
    private func having(late value: Int64, _ group: ControlGroup) -> Self {
        var next = having(PerGroup(repeating: value), group)
        if actual[group] < 0, !scenes.isEmpty { next.cameLate.insert(ControlGroups(group)) }
        return next
    }

    /// A group was written for this frame.
    private func written(
        _ value: Int64, _ group: ControlGroup, _ certainty: BrightnessFrame.Certainty
    ) -> [BrightnessHypothesis] {
        let usual =
            certainty == .expected ? Self.chanceUnreported : changes[group].chanceOfLoss
        let chance = lostLast ? max(usual, Self.lostTogether) : usual
        // A camera that has the value already has nothing to lose.
        guard actual[group] != value else { return [self] }
        var taken = having(PerGroup(repeating: value), group)
        taken.logWeight += naturalLogarithm(1 - chance)
        taken.changes[group].note(isLost: false)
        taken.lostLast = false
        taken.surprises *= 0.98
        var kept = self
        kept.logWeight += naturalLogarithm(chance)
        kept.changes[group].note(isLost: true)
        kept.lostLast = true
        kept.surprises *= 0.98
        return [taken, kept]
    }

    /// A group was not written for this frame; if it does not have its value, that may still come.
    private func outstanding(
        _ value: Int64, _ group: ControlGroup, _ certainty: BrightnessFrame.Certainty
    ) -> [BrightnessHypothesis] {
        guard actual[group] != value else { return [self] }
        var late = having(late: value, group)
        late.logWeight += certainty == .expected ? Self.unreportedWrite : Self.lateWrite
        return [self, late]
    }
}
