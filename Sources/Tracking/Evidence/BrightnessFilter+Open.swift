internal import Devices

extension BrightnessFilter {
    /// A frame whose verdict is still open.
    struct Open: Sendable {
        let frame: BrightnessFrame
        let number: Int
        /// How likely each group was not to have its value, before the frames since its last write were seen.
        let prior: PerGroup<Double>
        /// The number of the frame that each group was last written for; 0 if nothing was written yet.
        let written: PerGroup<Int>
        /// What each group should have had before that.
        let before: PerGroup<Int64>
        /// The last frame of the record before that that could be measured.
        let previous: PerGroup<Measured?>
        /// The first one of the record since then that could be.
        let arrived: PerGroup<Measured?>
        /// The different values that each group had to have last, its own the newest.
        let recent: PerGroup<[Int64]>
    }

    /// A frame whose brightness could be measured.
    struct Measured: Sendable {
        let frame: BrightnessFrame
        let number: Int
    }

    /// Which values frames of one scene should have had.
    struct View: Sendable {
        let first: PerGroup<Int64>
        /// The groups that were not always the same.
        private(set) var varied: ControlGroups = []

        init(first: PerGroup<Int64>) { self.first = first }

        mutating func note(_ claimed: PerGroup<Int64>) {
            for group in BrightnessHypothesis.groups where claimed[group] != first[group] {
                varied.insert(ControlGroups(group))
            }
        }
    }

    /// What was dropped of the hypotheses in which a frame does not have its value.
    struct Dropped: Sendable {
        let number: Int
        let claimed: PerGroup<Int64>
        var weights = PerGroup(repeating: 0.0)
    }
}
