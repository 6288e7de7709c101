internal import Devices
internal import Recipes
internal import Timebase
internal import Tracking

/// Steps of a raw sensor that have a frame rate of their own.
extension RunMachine {
    /// Settings are about to be written: with another blanking, registers give no period until it surely shows.
    ///
    /// Only writes of the exposure group have a blanking with them.
    mutating func noteFrameLength(_ next: Int32, _ groups: ControlGroups) {
        guard shared.variesFrameLength, groups.has(.exposure) else { return }
        let before = shared.plan.timing(of: frameLength.settings)?.frameLines
        guard frameLength.isChanging || before != shared.plan.timing(of: next)?.frameLines else {
            return
        }
        frameLength.change(to: next)
        clock.follow(registerPeriod: nil)
    }

    /// A frame has had its turn: once frames surely have the blanking that was written, they keep its period.
    mutating func followFrameLength() {
        guard frameLength.isChanging else { return }
        let wanted = shared.values[frameLength.settings][.exposure]
        var isShown = false
        if case .exactly(wanted, _) = timeline.shown(.exposure) { isShown = true }
        guard frameLength.observe(isShown: isShown) else { return }
        clock.follow(registerPeriod: shared.plan.registerPeriod(of: frameLength.settings))
    }
}
