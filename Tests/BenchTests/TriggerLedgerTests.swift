import Foundation
import Testing

extension InTheBench {
    /// 5,000 edges on gpio-sim: every one of them, and every frame, is accounted for.
    @Suite(.serialized) struct TriggerLedger {
        private static let scenario = Scenario.play(
            "trigger-ledger", .init(timeoutSeconds: 500, vivid: 1),
            files: ["spaced": pulses(crowding: false), "crowded": pulses(crowding: true)])
        /// Every so manyth edge is followed by one that the camera is too busy for.
        private static let crowd = 10

        /// 5,000 pulses of 4 ms; crowded, every tenth comes 12 ms after the one before it.
        private static func pulses(crowding: Bool) -> String {
            (0..<5_000).map { number in
                let isEarly = crowding && isEarly(number)
                // 40 to 49 ms, at every phase of the millisecond tick.
                let delay = isEarly ? 8.0 : 40 + Double(number * 37 % 90) / 10
                return "\(delay) 4\n"
            }.joined()
        }

        private static func isEarly(_ number: Int) -> Bool { number > 9 && number % crowd == 9 }

        @Test func `a free-running camera gives each of 5,000 edges a frame of its own`() throws {
            let run = try Self.scenario.get().run("free")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 5_000)
            #expect(run.summary.triggers["edges"] == 5_000)
            #expect(run.summary.triggers["matched"] == 5_000)
            #expect(run.summary.triggers["unmatched"] == 0)
            #expect(run.rows.map { $0["trigger_id"] } == (1...5_000).map { "part_present:\($0)" })
            #expect(Set(run.rows.map { $0["device_sequence"] }).count == 5_000)
        }

        @Test func `a triggered camera gives each edge its own frame, and the early ones none`()
            throws
        {
            let run = try Self.scenario.get().run("exposed")
            let early = (2..<5_000).filter(Self.isEarly)
            run.expectWhole(exitCode: 82, "trigger-mismatch", slots: 4_998)
            #expect(run.frames.count == 4_998 - early.count)
            #expect(run.rows.map { $0["trigger_id"] } == (3...5_000).map { "part_present:\($0)" })
            #expect(run.frames.allSatisfy { $0["trigger_class"] == "matched" })
            #expect(
                run.holes.map { $0["trigger_id"] } == early.map { "part_present:\($0 + 1)" })
            #expect(
                run.holes.allSatisfy {
                    $0["trigger_class"] == "missed" && $0["reason"] == "trigger-unanswered"
                })
            #expect(run.summary.triggers["unmatched"] == early.count)
        }

        @Test func `each frame is the one that the camera exposed for its edge`() throws {
            let run = try Self.scenario.get().run("exposed")
            let played = try Self.scenario.get().table("exposed.played").rows
                .filter { $0["value"] == "1" }.map { try $0.required("time_ns") }
            let readouts = try Self.scenario.get().table("exposed.truth").rows
                .map { try $0.required("readout_start_ns") }
            for row in run.frames {
                let number = try #require(
                    Int(row["trigger_id"].split(separator: ":").last ?? ""))
                let frame = try row.required("device_sequence")
                // Exposed for 2 ms from when the camera looked, which it does every millisecond.
                let delay = readouts[frame] - played[number - 1]
                #expect((2_000_000...6_000_000).contains(delay), "slot \(row["slot"])")
            }
        }
    }
}
