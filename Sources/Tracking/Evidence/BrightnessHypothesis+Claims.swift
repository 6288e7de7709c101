internal import Devices

extension BrightnessHypothesis {
    /// What the last frames of the camera should have had, the newest first, with those that were left out.
    struct Claims: Sendable {
        /// A camera may be later than its profile says by so many frames.
        static let longestShift = 4
        /// So many frames that were left out count; after more, a late camera is as one that is not.
        private static let mostLeftOut = longestShift + 1

        /// Settings written just before the frame that shows them, and settings written as soon as the frame before was
        /// over.
        private var (late, early): ([PerGroup<Int64>], [PerGroup<Int64>])
        /// Frames that were left out before the newest one.
        private(set) var leftOut = 0

        init(_ first: PerGroup<Int64>) {
            late = [PerGroup<Int64>](
                repeating: first, count: Self.longestShift + Self.mostLeftOut + 2)
            early = late
        }

        /// The newest frame.
        var now: PerGroup<Int64> { late[0] }
        /// The one before it that was not left out.
        var before: PerGroup<Int64> { late[leftOut + 1] }

        func isWrite(_ group: ControlGroup) -> Bool { now[group] != before[group] }

        subscript(_ place: Int, isEarly isEarly: Bool) -> PerGroup<Int64> {
            isEarly ? early[place] : late[place]
        }

        /// Takes the next frame, so many frames after the last one.
        mutating func take(_ claimed: PerGroup<Int64>, distance: Int) {
            leftOut = min(max(0, distance - 1), Self.mostLeftOut)
            let before = now
            for behind in (0...leftOut).reversed() {
                late.insert(behind == 0 ? claimed : before, at: 0)
                early.insert(claimed, at: 0)
                late.removeLast()
                early.removeLast()
            }
        }
    }
}
