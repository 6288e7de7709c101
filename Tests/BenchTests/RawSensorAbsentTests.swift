import Testing

extension InTheBench {
    /// A sensor that does not answer when its driver looks for it: its receiver registers no nodes.
    @Suite(.serialized) struct RawSensorAbsent {
        private static let scenario: Result<Scenario, any Error> = {
            var options = Bench.Options(timeoutSeconds: 120)
            options.csi = CSIBoard("imx219", options: "absent=1")
            return Scenario.play("csi-absent", options)
        }()

        @Test func `the receiver is listed with the sensor that it lacks`() throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("devices") == 0)
            let text = try scenario.text("devices.stdout")
            #expect(text.contains("receiver /dev/media0\n"))
            #expect(
                text.contains(
                    "has no sensor: the device tree has imx219 0-0010, which no driver took"))
        }

        @Test(arguments: ["status", "named", "run"])
        func `every command ends alike, and says why`(name: String) throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode(name) == 69)
            #expect(try scenario.text("\(name).stderr").contains("the receiver `unicam`"))
        }
    }
}
