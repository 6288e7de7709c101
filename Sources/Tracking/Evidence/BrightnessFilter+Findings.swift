public import Devices

/// What the hypotheses together say of a frame.
extension BrightnessFilter {
    /// A value is refuted where it is less likely than this.
    private static let refuted = 0.001
    /// The same of first settings, and where the scene jumped meanwhile.
    private static let refutedUnsettled = 1e-5
    /// Nothing is refuted where the scene jumped more often than this.
    private static let mostJumps = 2.5
    /// A value is doubted where it is wrong more likely than this.
    private static let doubt = 0.02
    /// Pixels confirm a value only where they made an error this much less likely than it was.
    private static let leastEvidence = 1000.0
    /// and only where so many of the large changes were visible: settings that look alike may be one setting, and a
    /// write lost in a way that no hypothesis has.
    ///
    /// Nor is a value named then that a frame had instead.
    private static let leastVisible = 0.7
    /// and only where a camera that ignores the control is this unlikely, less than before anything was seen.
    private static let leastIgnored = 1e-6
    /// and only where so much of the change showed with which the value came, or with which it went.
    private static let leastVisibility = 0.3
    /// A value is refuted only by another one that differs in brightness by so many standard deviations.
    private static let leastContrast = 5.0
    /// and by so much at least: 5 %.
    private static let leastDifference = 0.05
    /// A value is named instead only where all others differ from it by so many standard deviations.
    private static let leastDistance = 3.0

    /// A scene whose brightness varies by a third from frame to frame shows nothing: variance of the logarithm.
    private static let mostNoise = 0.3 * 0.3
    /// A frame that cannot be measured refutes nothing where brightness varies by more than a twentieth.
    private static let steadyNoise = 0.05 * 0.05
    /// That a camera is late as a whole is believed only where it is out of the question that it is on time.
    private static let leastOnTime = 1e-6

    /// What is known of one group of a frame.
    fileprivate struct Summary {
        /// How likely the frame does not have its value.
        var wrong = 0.0
        /// The most likely other value, and how likely it is.
        var other: (value: Int64, weight: Double)?
        /// The part of `wrong` in which the camera as a whole is later than its profile says.
        var late = 0.0
        /// How likely the camera never changes the control.
        var ignored = 0.0
        /// How likely the first value came after frames that were seen already.
        var cameLate = 0.0
        /// How often the scene jumped meanwhile.
        var jumps = 0.0
        /// How likely it jumped just when the setting was written.
        var jumpedAtWrite = 0.0
        /// How likely the scene jumped next to it.
        var jumpedNear = 0.0
        var changes = (all: 0.0, lost: 0.0, large: 0.0, visible: 0.0)
        /// Jumps and lost writes of all groups, and all writes.
        var surprises = (count: 0.0, writes: 0.0)

        /// Whether most of the large changes of the group were visible.
        var areVisible: Bool { changes.visible >= leastVisible * changes.large }
    }

    /// Controls that were changed by much, and often, without a change of brightness.
    public var unresponsive: ControlGroups {
        var groups: ControlGroups = []
        for group in BrightnessHypothesis.groups {
            var sum = Summary()
            for hypothesis in hypotheses {
                sum.add(hypothesis, group, exponential(hypothesis.logWeight))
            }
            let changes = sum.changes
            if sum.ignored > 1 - Self.refuted
                || changes.large > 3.5 && changes.visible < changes.large / 2
                || changes.all > 5 && changes.lost > 0.8 * changes.all
            {
                groups.insert(ControlGroups(group))
            }
        }
        return groups
    }

    func finding(of one: Open) -> Finding {
        Finding(
            name: one.frame.name,
            verdicts: PerGroup { group in
                // Of a value that was never another one, brightness shows nothing: any scene explains it.
                changed.has(group) && one.frame.certainty[group] != .proven
                    ? verdict(group, one) : .unseen
            })
    }

    private func verdict(_ group: ControlGroup, _ one: Open) -> PixelVerdict {
        let sum = summary(group, one)
        let isMostlyLost =
            sum.changes.lost > sum.changes.all / 3 || sum.changes.all - sum.changes.lost < 2
        // A control without effect, a flash, a camera that makes up for its exposure.
        let isInvisible =
            sum.ignored > 0.5
            || sum.changes.large > 1.5 && sum.changes.visible < sum.changes.large / 2
        // A scene that jumps all the time explains everything, and so nothing.
        let isErratic =
            sum.surprises.count > 2 + sum.surprises.writes / 3 || noise > Self.mostNoise
        // A scene that jumps now and then may do so by just the ratio of two settings; one that drifts from the first
        // frames on looks as if these had other settings than all others.
        let isSettled = sum.jumps <= 0.5 && one.written[group] > 0
        let refuted = isSettled ? Self.refuted : Self.refutedUnsettled
        // Any drift looks like first settings of another value.
        let mayBeDrift = one.written[group] == 0 && !isUnlikeLater(one)
        if sum.wrong > 1 - refuted, !isMostlyLost, !isErratic, !isInvisible,
            sum.jumps < Self.mostJumps, sum.jumpedNear <= Self.doubt,
            isContrasting(sum.other?.value, group, one),
            sum.late < 0.5 || 1 - sum.wrong < Self.leastOnTime,
            !mayBeDrift,
            one.frame.level != nil || sum.jumps <= 0.5 && noise < Self.steadyNoise
        {
            // At full scale a frame shows that it had more than its value, and not how much.
            guard let other = sum.other, other.weight > 1 - Self.refuted, other.value > 0,
                sum.areVisible,
                one.frame.level != nil,
                isDistinct(other.value, group, one, variance: noise + one.frame.variance)
            else { return .contradicted(shown: nil) }
            return .contradicted(shown: other.value)
        }
        // That the camera as a whole is late is no doubt of a frame before it is likely: drift alone may favour it a
        // little over a whole series, and then it would doubt all of it.
        let wrong = sum.late > 0.5 ? sum.wrong : sum.wrong - sum.late
        // Where settings look alike, those alone are doubtful that a camera has which loses writes.
        let isDoubtful =
            wrong > Self.doubt
            && (sum.changes.lost > Self.doubt * sum.changes.all
                || isContrasting(sum.other?.value, group, one))
            && (wrong > 0.5 || !mayBeDrift)
        // Brightness did something at this very change that no lost write explains, but no setting does either.
        let isOdd = sum.jumpedAtWrite > 0.5 && isContrasting(one.before[group], group, one)
        guard !isInvisible, !isDoubtful, !isOdd, !lacksItsChange(group, one) else {
            return .doubted
        }
        return !isErratic && isConfirmed(sum, group, one) ? .confirmed : .unseen
    }

    /// Whether a frame would look otherwise without its value.
    private func isConfirmed(_ sum: Summary, _ group: ControlGroup, _ one: Open) -> Bool {
        let lost = dropped.reduce(0) { $0 + ($1.number >= one.number ? $1.weight : 0) }
        let wrong =
            sum.wrong + (droppedDoubts.first { $0.number == one.number }?.weights[group] ?? 0)
        let odds = max(wrong, 1e-9) / max(1e-9, 1 - wrong)
        let before = one.prior[group] / max(1e-9, 1 - one.prior[group])
        return sum.wrong + lost <= Self.refuted && before >= odds * Self.leastEvidence
            && sum.jumps < Self.mostJumps && sum.jumpedNear <= Self.doubt
            && sum.areVisible
            && sum.ignored <= Self.leastIgnored
            && (one.written[group] > 0 || sum.cameLate <= Self.refuted)
            && isDistinct(one.frame.claimed[group], group, one)
            && !isLikeAnother(group, one) && hasMeasure(group, one)
    }

    /// Whether since a group's value came a scene was seen that was seen with another value too.
    ///
    /// How bright a light makes the scene is not known before: where it always comes together with the same value, any
    /// brightness would do, and if that write is lost each time, all of these frames look alike.
    private func hasMeasure(_ group: ControlGroup, _ one: Open) -> Bool {
        let own = open.filter { $0.written[group] == one.written[group] && $0.frame.level != nil }
            .map(\.frame)
        return ([one.frame, one.arrived[group]?.frame].compactMap { $0 } + own).contains {
            views[$0.scene]?.varied.has(group) == true
        }
    }

    /// Whether brightness stayed the same where a group's value came and where it went, but for what the other group
    /// explains, although it should have changed by much: whatever explains that, such a frame need not have its value.
    ///
    /// Looked at are this frame, and those that are nearest to each change, which a drifting scene leaves least.
    private func lacksItsChange(_ group: ControlGroup, _ one: Open) -> Bool {
        let own = Measured(frame: one.frame, number: one.number)
        let atFrame = neighbours(group, one).map { (own, $0) }
        return [atFrame, changes(of: group, around: one)].contains { pairs in
            let shares = pairs.compactMap { visibility(of: group, in: $0, beside: $1) }
            return !shares.isEmpty && shares.allSatisfy { $0 < Self.leastVisibility }
        }
    }

    /// The last two frames that could be measured where a group's value came and where it went: one that should have
    /// it, and one beside.
    private func changes(
        of group: ControlGroup, around one: Open
    ) -> [(Measured, Measured)] {
        var pairs: [(Measured, Measured)] = []
        if let own = one.arrived[group], let other = one.previous[group] {
            pairs.append((own, other))
        }
        if let own = next(group, after: one)?.previous[group], own.number >= one.written[group],
            let other = open.first(where: {
                $0.written[group] > one.written[group] && $0.arrived[group] != nil
            })?.arrived[group]
        {
            pairs.append((own, other))
        }
        return pairs
    }

    /// The frames next to those that have a group's value: the last one before it came, and the first one when it went.
    private func neighbours(_ group: ControlGroup, _ one: Open) -> [Measured] {
        let went = next(group, after: one).map { Measured(frame: $0.frame, number: $0.number) }
        return [one.previous[group], went].compactMap { $0 }
    }

    /// Whether with another value that a group had to have not long ago, the change of brightness from or to a frame
    /// beside is what it should be, and clearly is not with its own: the scene would have changed at the same time, and
    /// by as much.
    ///
    /// What the response is known to be in the end is better than what it was taken for when the frame came.
    private func isLikeAnother(_ group: ControlGroup, _ one: Open) -> Bool {
        guard let best = hypotheses.first, let level = one.frame.level else { return false }
        return neighbours(group, one).contains { other in
            let frame = other.frame
            guard one.frame.scene == frame.scene, let beside = frame.level else { return false }
            let shown = level - beside + best.level(of: shown(other, best))
            let spread =
                variance(over: abs(one.number - other.number)) + one.frame.variance
                + frame.variance
            func isUnlike(_ value: Int64) -> Bool {
                isClear(
                    shown - self.level(of: value, group, one), spread, Self.leastDistance)
            }
            return isUnlike(one.frame.claimed[group]) && !one.recent[group].allSatisfy(isUnlike)
        }
    }

    /// What a frame had by the likeliest hypothesis.
    private func shown(_ one: Measured, _ best: BrightnessHypothesis) -> PerGroup<Int64> {
        var values = one.frame.claimed
        if let actual = best.deviation(at: one.number) {
            for each in BrightnessHypothesis.groups where actual[each] > 0 {
                values[each] = actual[each]
            }
        }
        return values
    }

    /// How much of the change between two frames showed that a group's values should make, 1 for all of it; nil where
    /// that cannot be said, or should be little beside what the scene does meanwhile.
    ///
    /// - Parameters:
    ///   - own: the one that should have the value.
    ///   - other: the other one.
    private func visibility(
        of group: ControlGroup, in own: Measured, beside other: Measured
    ) -> Double? {
        guard let best = hypotheses.first, own.frame.scene == other.frame.scene,
            let level = own.frame.level, let beside = other.frame.level
        else { return nil }
        // Where another setting is likelier for that one, the change is from there.
        let before = shown(other, best)
        var unchanged = own.frame.claimed
        unchanged[group] = before[group]
        let without = best.level(of: unchanged)
        let expected = best.level(of: own.frame.claimed) - without
        let spread =
            variance(over: abs(own.number - other.number)) + own.frame.variance
            + other.frame.variance
        guard
            abs(expected)
                > max(BrightnessHypothesis.largeChange, Self.leastContrast * spread.squareRoot())
        else { return nil }
        return (level - beside - (without - best.level(of: before))) / expected
    }

    /// Whether what a frame is said to have, and another value, differ enough in brightness to be told apart; a value
    /// that is not known does.
    private func isContrasting(_ other: Int64?, _ group: ControlGroup, _ one: Open) -> Bool {
        guard let other, other > 0 else { return true }
        let claimed = level(of: one.frame.claimed[group], group, one)
        return isClear(level(of: other, group, one) - claimed, noise + one.frame.variance)
    }

    /// Whether a frame of the first settings is brighter or darker than the scene has become since with the same
    /// settings, and more so than it may have drifted.
    private func isUnlikeLater(_ one: Open) -> Bool {
        guard let best = hypotheses.first, let level = one.frame.level,
            let scene = best.scenes.first(where: { $0.key == one.frame.scene })
        else { return true }
        let expected = best.level(of: scene) + best.level(of: one.frame.claimed)
        return isClear(
            level - expected, variance(over: scene.last - one.number) + one.frame.variance)
    }

    /// Whether a difference in brightness is more than its variance explains, and large enough to mean anything.
    private func isClear(
        _ difference: Double, _ variance: Double, _ deviations: Double = leastContrast
    ) -> Bool {
        abs(difference) > max(deviations * variance.squareRoot(), Self.leastDifference)
    }

    /// The variance of what a scene does between two frames, so many apart.
    private func variance(over frames: Int) -> Double {
        let share = BrightnessHypothesis.noiseShare
        return noise * (2 * share.own + share.drift * Double(frames))
    }

    /// Whether a value looks unlike all others that a frame's group had to have last, or next: any of them it may have
    /// where writes were lost, since those of frames to come are written ahead, and what was learned of the response is
    /// then of that one.
    ///
    /// - Parameter variance: of the brightness that it is recognised by, where it is to be told from those by that.
    private func isDistinct(
        _ value: Int64, _ group: ControlGroup, _ one: Open, variance: Double = 0
    ) -> Bool {
        let level = level(of: value, group, one)
        return (one.recent[group] + following(group, one)).allSatisfy {
            $0 == value
                || isClear(self.level(of: $0, group, one) - level, variance, Self.leastDistance)
        }
    }

    /// The different values that a group had to have next, after a frame, as far as that is known.
    private func following(_ group: ControlGroup, _ one: Open) -> [Int64] {
        var found: [Int64] = []
        for other in open where other.number > one.number && found.count < Self.mostRecent {
            let value = other.frame.claimed[group]
            if !found.contains(value) { found.append(value) }
        }
        return found
    }

    /// The logarithm of the brightness that a frame would have with another value of a group; 0 for all of them while
    /// nothing was learned.
    private func level(of value: Int64, _ group: ControlGroup, _ one: Open) -> Double {
        var settings = one.frame.claimed
        settings[group] = value
        return hypotheses.first?.level(of: settings) ?? 0
    }

    /// Where brightness has to be trusted: at the frame, where its value came, and where it went.
    private func decisivePlaces(_ group: ControlGroup, _ one: Open) -> [Int] {
        var places = [one.number, one.written[group]]
        if let next = next(group, after: one) { places.append(next.written[group]) }
        return places
    }

    /// The first frame that a group was written for after that; nil if there is none yet.
    private func next(_ group: ControlGroup, after one: Open) -> Open? {
        open.first { $0.written[group] > one.written[group] }
    }

    private func summary(_ group: ControlGroup, _ one: Open) -> Summary {
        var sum = Summary()
        var others: [(value: Int64, weight: Double)] = []
        let places = decisivePlaces(group, one)
        for hypothesis in hypotheses {
            let weight = exponential(hypothesis.logWeight)
            sum.add(hypothesis, group, weight)
            // The first settings rest on frames far behind them: a jump anywhere tells against them.
            let hasJumped = hypothesis.jumpedAt.contains { jump in
                one.written[group] == 0 || places.contains { abs($0 - jump) <= 1 }
            }
            if hasJumped { sum.jumpedNear += weight }
            if hypothesis.jumpedAt.contains(one.written[group]) { sum.jumpedAtWrite += weight }
            guard
                let found = hypothesis.deviation(at: one.number)?[group],
                found != one.frame.claimed[group]
            else { continue }
            sum.wrong += weight
            if hypothesis.manner.shift[group] > 0 { sum.late += weight }
            if let place = others.firstIndex(where: { $0.value == found }) {
                others[place].weight += weight
            } else {
                others.append((found, weight))
            }
        }
        sum.other = others.max { $0.weight < $1.weight }
        return sum
    }
}

extension BrightnessFilter.Summary {
    /// Adds what a hypothesis learned, by its weight.
    fileprivate mutating func add(
        _ hypothesis: BrightnessHypothesis, _ group: ControlGroup, _ weight: Double
    ) {
        let own = hypothesis.changes[group]
        changes.all += weight * own.all
        changes.lost += weight * own.lost
        changes.large += weight * own.large
        changes.visible += weight * own.visible
        if hypothesis.manner.ignored.has(group) { ignored += weight }
        if hypothesis.cameLate.has(group) { cameLate += weight }
        surprises.count += weight * hypothesis.surprises
        jumps += weight * Double(hypothesis.jumpedAt.count)
        for group in BrightnessHypothesis.groups {
            surprises.count += weight * hypothesis.changes[group].lost
            surprises.writes += weight * hypothesis.changes[group].all
        }
    }
}
