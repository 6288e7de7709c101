import ArgumentParser
import BenchCameraModel
import Glibc

/// The command: a simulated USB camera on the kernel's virtual host controller.
@main
struct BenchCamera: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "framelock-bench-camera",
        abstract: "A simulated USB video class camera for the kernel's own uvcvideo driver.",
        discussion: """
            Needs root and vhci-hcd. Prints "ready /dev/videoN" once the camera can be opened, and unplugs on \
            SIGTERM or SIGINT. SIGUSR1 pulls the cable, and plugs it in again.
            """)

    @OptionGroup(title: "Streams") var stream: StreamArguments
    @OptionGroup(title: "Picture") var picture: PictureArguments
    @OptionGroup(title: "Controls") var controls: ControlArguments
    @OptionGroup(title: "Run") var running: RunArguments

    mutating func run() throws {
        var options = CameraOptions(catalog: try stream.catalog())
        try stream.apply(to: &options)
        picture.apply(to: &options)
        options.controls = try controls.behaviour()
        options.controls.seed = picture.seed
        try running.apply(to: &options)
        var runner = try CameraRunner(options: options, arguments: running)
        try runner.run()
    }
}
