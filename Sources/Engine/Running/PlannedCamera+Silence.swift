internal import Devices
internal import Recipes

extension PlannedCamera {
    /// Why a camera that runs free by the plan may give no frame: it is one that can wait for a trigger instead.
    ///
    /// Where a control switches the trigger the plan has switched it off, so that it can't be the reason.
    ///
    /// A list of one sentence, or an empty one; asked only if no frame came at all.
    var waitsForTrigger: [String] {
        guard trigger == nil, let model = profile.trigger, model.mode == nil else { return [] }
        return [
            "the sensor waits for its external trigger if it was set so outside of framelock (its"
                + " driver's `trigger_mode` in /sys/module, config.txt): switch that off, or give the"
                + " recipe the `trigger` that exposes it"
        ]
    }
}
