import ArgumentParser
import BenchCameraModel

extension BusSpeed: ExpressibleByArgument {}
extension BusTiming: ExpressibleByArgument {}
extension PixelLayout: ExpressibleByArgument {}

/// What the camera offers to stream, and how it gets over the bus.
struct StreamArguments: ParsableArguments {
    @Option(help: "Pixel formats, comma separated: yuyv, grey.")
    var format = "yuyv,grey"

    @Option(help: "Picture sizes, comma separated, the first is the default.")
    var size = "640x480,320x240"

    @Option(help: "Frame rates in frames per second, comma separated.")
    var rate = "30"

    @Option(help: "Bus speed: high, super. Modes that the bus cannot carry are not offered.")
    var speed = BusSpeed.high

    @Option(help: "bus: one packet each 125 us; burst: a frame at once when its readout starts.")
    var timing = BusTiming.bus

    @Option(help: "Error of the camera's clock in parts per million, -1000 to 1000.")
    var clockError = 0.0

    @Option(help: "Readouts start up to this many microseconds late, at random.")
    var jitter = 0

    func catalog() throws -> StreamCatalog {
        try StreamCatalog(
            layouts: list(format).map { name in
                guard let layout = PixelLayout(rawValue: name) else {
                    throw ValidationError("`\(name)` is no format; choose from yuyv, grey")
                }
                return layout
            },
            sizes: list(size).map(pictureSize),
            rates: list(rate).map { text in
                guard let rate = Int(text), (1...1000).contains(rate) else {
                    throw ValidationError("`\(text)` is no frame rate; write a number, 1 to 1000")
                }
                return rate
            },
            speed: speed)
    }

    func apply(to options: inout CameraOptions) throws {
        guard abs(clockError) <= 1000 else {
            throw ValidationError("a clock error is at most 1000 ppm, not \(clockError)")
        }
        guard (0...100_000).contains(jitter) else {
            throw ValidationError("a jitter is 0 to 100000 us, not \(jitter)")
        }
        options.speed = speed
        options.timing = timing
        options.clock = DeviceClock(errorPartsPerBillion: Int64((clockError * 1000).rounded()))
        options.jitterNanoseconds = Int64(jitter) * 1000
    }

    private func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

    private func pictureSize(_ text: String) throws -> PictureSize {
        let sides = text.split(separator: "x").compactMap { Int($0) }
        guard
            sides.count == 2, sides[0] % 2 == 0,
            (TruthPattern.columnCount...4096).contains(sides[0]),
            (TruthPattern.rowCount + 16...4096).contains(sides[1])
        else {
            throw ValidationError(
                "`\(text)` is no size; write WIDTHxHEIGHT, an even width, at least "
                    + "\(TruthPattern.columnCount)x\(TruthPattern.rowCount + 16)")
        }
        return PictureSize(width: sides[0], height: sides[1])
    }
}
