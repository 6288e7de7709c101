import Foundation
import Testing

extension InTheBench {
    /// What goes wrong behind a raw sensor, run by run: no row says what is not so, none is graded better than it is,
    /// and verdict and exit code say what is not known.
    @Suite struct RawSensorFaults {
        /// A board of the CSI bench, and what goes wrong on it, one run after the other.
        struct Board: Sendable, CustomTestStringConvertible {
            var name: String
            var stories: [RawSensorStory]
            var testDescription: String { name }
        }

        static let boards = [
            Board(name: "imx219-legacy", stories: RawSensorStory.legacy),
            Board(name: "imx708-legacy", stories: RawSensorStory.imx708Legacy),
            Board(name: "imx708-cfe", stories: RawSensorStory.imx708),
            Board(name: "imx219", stories: RawSensorStory.unicam),
            Board(name: "imx219-cfe", stories: RawSensorStory.cfe),
            Board(name: "imx477-cfe", stories: RawSensorStory.imx477),
        ]

        private static func play(_ board: Board) -> Result<Scenario, any Error> {
            var options = Bench.Options(timeoutSeconds: 400)
            options.csi = CSIBoard(board.name)
            let lines = board.stories.map(\.line).joined(separator: "\n") + "\n"
            var files = ["settings.txt": lines]
            for story in board.stories { files["\(story.name).before"] = story.before }
            return Scenario.play(
                "csi-bracket", options, files: files, as: "csi-faults-\(board.name)")
        }

        @Test(arguments: boards)
        func `each fault ends in the right rows, events and exit code`(board: Board) throws {
            // The frames of all boards together take 9 GB.
            let scenario = try Self.play(board).get()
            defer { scenario.discardFrames() }
            for story in board.stories { try story.check(scenario) }
        }
    }
}
