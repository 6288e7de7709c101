import Foundation
import Testing

extension InTheBench {
    /// A user without rights is told what is missing before the run, with the group or limit to change.
    @Suite(.serialized) struct Rights {
        private static let scenario = Scenario.play("rights", .init(timeoutSeconds: 300))

        private static func refusal(_ name: String) throws -> String {
            let scenario = try scenario.get()
            #expect(try scenario.exitCode(name) == 77)
            #expect(!scenario.has("\(name).left"), "nothing is begun")
            return try scenario.text("\(name).stderr")
        }

        @Test("D4 a camera that belongs to root alone: the rules that change it") func rootOnly()
            throws
        {
            let message = try Self.refusal("root-only")
            #expect(message.contains("no right to use /dev/video0: it belongs to root alone"))
            #expect(message.contains("udev rules"))
            #expect(message.contains("sudo usermod -aG video nobody"))
        }

        @Test("D4 a camera of a group that the user is not in: the group to join") func noCamera()
            throws
        {
            let message = try Self.refusal("no-camera")
            #expect(
                message.contains(
                    "/dev/video0: it belongs to the group video, and nobody is not in it"))
            #expect(message.contains("sudo usermod -aG video nobody, and log in again"))
        }

        @Test("D4 lines of a group that the user is not in: the group to join") func noLines()
            throws
        {
            let message = try Self.refusal("no-lines")
            #expect(message.contains("/dev/gpiochip0: it belongs to the group dialout"))
            #expect(message.contains("sudo usermod -aG dialout nobody"))
        }

        @Test("D4 what may not be opened is listed as missing rights") func listing() throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("listing") == 0)
            let messages = try scenario.text("listing.stderr")
            #expect(messages.contains("no right to use /dev/video0"))
            #expect(messages.contains("no right to use /dev/gpiochip0"))
        }

        @Test("D4 a run without real-time rights says which limits to raise, and runs")
        func ordinary() throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("ordinary") == 0)
            let messages = try scenario.text("ordinary.stderr")
            #expect(messages.contains("SCHED_FIFO priority 75 not granted"))
            #expect(messages.contains("LimitRTPRIO=75"))
            #expect(messages.contains("memory locked not granted"))
            #expect(messages.contains("LimitMEMLOCK=infinity"))
            #expect(messages.contains("join the group framelock"))
            let verdict = try #require(messages.range(of: "verdict"))
            let notice = try #require(messages.range(of: "LimitRTPRIO"))
            #expect(notice.lowerBound < verdict.lowerBound)
        }

        @Test("D4 no message is a bare number of the kernel's") func words() throws {
            for name in ["root-only", "no-camera", "no-lines"] {
                let message = try Self.refusal(name)
                #expect(!message.contains("errno") && !message.contains("EACCES"))
            }
        }
    }
}
