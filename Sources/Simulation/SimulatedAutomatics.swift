internal import Devices

/// Where the simulated camera's own automatics want to go: what their maker knows of the sensor and the scene.
struct SimulatedAutomatics {
    /// Controls and the codes that they are driven to.
    let aims: [(control: CameraControl, code: Int64)]

    init(_ scene: SimulatedScene, gainCode: Int64) {
        // A mean of 0.18 of full scale: 0.18 × 4095 codes × 4 electrons over 0.4 electrons a microsecond at the mean
        // radiance of 0.8 takes 9214 µs at a gain of one (code 64).
        let exposure =
            9_214 * 64 * 1_000_000 / max(1, gainCode) / max(1, scene.luminanceMillionths)
        // The channels' responses are 0.8, 1 and 0.7; gain one is 1024.
        let red = 1_280 * 1_000_000 / max(1, scene.redMillionths)
        let blue = 1_463 * 1_000_000 / max(1, scene.blueMillionths)
        func inside(_ code: Int64, _ range: ClosedRange<Int64>) -> Int64 {
            min(max(code, range.lowerBound), range.upperBound)
        }
        aims = [
            (SimulatedControls.exposure, inside(exposure, 20...33_000)),
            (SimulatedControls.focus, inside(scene.bestFocusCode, 0...1_000)),
            (SimulatedControls.red, inside(red, 256...4_096)),
            (SimulatedControls.blue, inside(blue, 256...4_096)),
        ]
    }
}
