internal import Devices
internal import Timebase

/// The light of one exposure, in microseconds of full light, as the colour channels see it.
///
/// Ambient light is white. Outputs with these names add light of their own while they are on: `light_red`,
/// `light_green`, `light_blue`, and `strobe`, which is white and four times as bright as the ambient light.
///
/// A coloured light is twice as bright as the ambient light.
struct SceneLight: Hashable {
    var red: Float = 0
    var green: Float = 0
    var blue: Float = 0
    /// The ambient light that reached the picture, relative to the usual.
    private(set) var share: Float = 1

    init() {}

    /// Adds up the light between two moments; whole microseconds, the rest of each share is cut off.
    ///
    /// - Parameter conditions: how a scene that changes is; nil for one that does not.
    init(
        lines: SimulatedLines, from start: Instant<Monotonic>, to end: Instant<Monotonic>,
        _ conditions: SceneConditions? = nil
    ) {
        let ambient = (end - start).nanoseconds / 1_000
        var (red, green, blue): (Int64, Int64, Int64) = (0, 0, 0)
        for (index, request) in lines.requests.enumerated() where request.direction == .output {
            let on = lines.timeOn(Int32(index), from: start, to: end).nanoseconds / 1_000
            switch request.name {
            case "light_red": red += on * 2
            case "light_green": green += on * 2
            case "light_blue": blue += on * 2
            case "strobe":
                red += on * 4
                green += on * 4
                blue += on * 4
            default: break
            }
        }
        // Single floats are exact for more than the 14 s of white light that lines and the longest exposure give.
        let lamps = conditions?.ambient(from: start, to: end) ?? 1
        let iris = conditions?.iris ?? 1
        func seen(_ outputs: Int64) -> Float { (Float(ambient) * lamps + Float(outputs)) * iris }
        (self.red, self.green, self.blue) = (seen(red), seen(green), seen(blue))
        share = lamps * iris
    }
}
