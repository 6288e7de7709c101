internal import ArgumentParser
internal import Cameras
internal import Lines
internal import LinuxDevices
internal import Logging
internal import Notation
internal import Simulation
internal import Timebase

/// `framelock devices`: what is there, in the words that recipes and rigs use.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists cameras with formats, rates and controls, and GPIO chips with lines.")

    @Flag(help: "Print as JSON.")
    var json = false

    func run() throws {
        try Console.run {
            let cameras = CameraDiscovery().search()
            let chips = LineDiscovery().search()
            let simulated = try SimulatedWorld(SimulationOptions()).camera.describe()
            let library = ProfileLibrary(folder: nil)
            let listing = DeviceListing(
                cameras: cameras.cameras + [simulated], chips: chips.chips
            ) { camera in
                (try? library.profile(for: camera.identity))?.narrowed(to: camera)
            }
            for problem in cameras.problems { Console.log.warning("\(problem.message)") }
            for problem in chips.problems { Console.log.warning("\(problem.message)") }
            try Console.output(json ? listing.json.text(.pretty) : listing.text)
        }
    }
}
