extension BrightnessHypothesis {
    /// How the changes of a group went, the last fifty above all.
    struct Changes: Sendable {
        private static let memory = 0.98
        /// All, and those that were lost.
        private(set) var all = 0.0
        private(set) var lost = 0.0
        /// Large ones, and those of them that brightness showed.
        private(set) var large = 0.0
        private(set) var visible = 0.0

        mutating func note(isLost: Bool) {
            all = all * Self.memory + 1
            lost = lost * Self.memory + (isLost ? 1 : 0)
        }

        mutating func noteLarge(isVisible: Bool) {
            large = large * Self.memory + 1
            visible = visible * Self.memory + (isVisible ? 1 : 0)
        }

        /// How likely the next is to be lost: one in 230 at first, then as it went.
        var chanceOfLoss: Double { (lost + 0.15) / (all + 35) }
    }
}
