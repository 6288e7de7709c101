import Devices
import ProvingGround
import Recipes
import Testing
import Timebase

@testable import Engine

@Suite struct SilentCameraTests {
    @Test(arguments: [
        (false, nil, true), (true, nil, false), (false, CameraControl.horizontalFlip, false),
    ])
    func `a camera that can wait for a trigger, and that no plan triggers, may do so`(
        isTriggered: Bool, mode: CameraControl?, mayWait: Bool
    ) throws {
        var camera = try SamplePlan([.capture(1)]).plan().camera
        #expect(camera.waitsForTrigger.isEmpty)
        camera.profile.trigger = TriggerModel(
            exposure: .pulse, shortestDelay: .zero, longestDelay: .microseconds(400),
            mode: mode.map { TriggerModel.Mode(control: $0, on: 1, off: 0) })
        if isTriggered {
            camera.trigger = PlannedTrigger(
                line: 0,
                window: TriggerWindow(
                    earliest: .zero, latest: .milliseconds(1), edgeDelay: .zero,
                    shortestPeriod: .zero, longestPeriod: .zero))
        }
        #expect(camera.waitsForTrigger.isEmpty != mayWait)
    }
}
