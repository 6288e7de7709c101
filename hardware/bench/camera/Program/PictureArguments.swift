import ArgumentParser
import BenchCameraModel

/// What the camera sees.
struct PictureArguments: ParsableArguments {
    @Option(help: "Light of the scene: luma counts per 100 us of exposure at gain 16.")
    var scene = 0.6

    @Option(help: "Luma of a pixel without light.")
    var black = 16

    @Option(help: "Standard deviation of the noise in luma counts, 0 to 30.")
    var noise = 0.0

    @Option(help: "Seed of noise and jitter.")
    var seed: UInt64 = 1

    @Option(help: "The focus value that is sharpest.")
    var bestFocus = 120

    @Option(help: "The white-balance temperature without cast, in kelvin.")
    var illuminant = 4600

    @Flag(inversion: .prefixedNo, help: "Show the truth pattern in the first rows.")
    var pattern = true

    func validate() throws {
        guard (0...1000).contains(scene) else { throw ValidationError("a scene is 0 to 1000") }
        guard (0...30).contains(noise) else { throw ValidationError("noise is 0 to 30 counts") }
        guard (0...128).contains(black) else { throw ValidationError("black is 0 to 128") }
        guard (1000...20000).contains(illuminant) else {
            throw ValidationError("an illuminant is 1000 to 20000 K")
        }
    }

    func apply(to options: inout CameraOptions) {
        options.seed = seed
        options.scene.lumaPerUnit = scene
        options.scene.blackLevel = black
        options.scene.noise = noise
        options.scene.bestFocus = bestFocus
        options.scene.illuminantKelvin = illuminant
        options.scene.hasPattern = pattern
    }
}
