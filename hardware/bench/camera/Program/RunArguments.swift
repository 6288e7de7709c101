import ArgumentParser
import BenchCameraModel

/// The run: what goes wrong when, and what is written down.
struct RunArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Faults by frame: KIND@FIRST[-LAST][/EVERY], comma separated.",
            discussion: "drop, lose, short, err, freeze, unplug, replug, forget."))
    var fault = ""

    @Option(help: "Write the truth about each frame to this file (CSV).")
    var truth: String?

    @Option(help: "Serial number.")
    var serial = "0001"

    @Option(help: "Product name.")
    var product = "framelock bench camera"

    @Option(help: "Unplug and end after this many frames.")
    var count: Int?

    @Option(help: "Drive this `pull` attribute of gpio-sim high during each exposure.")
    var strobe: String?

    @Option(help: "Expose once for each rising edge of this `value` attribute of gpio-sim.")
    var trigger: String?

    func apply(to options: inout CameraOptions) throws {
        do {
            options.faults = try FaultSchedule(fault)
        } catch {
            throw ValidationError(error.description)
        }
        options.isTriggered = trigger != nil
        options.serial = serial
        options.product = product
    }
}
