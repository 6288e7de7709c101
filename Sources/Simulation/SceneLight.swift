internal import Devices
internal import Timebase

/// The light of one exposure, in microseconds of full light, as the colour channels see it.
///
/// Ambient light is white. Outputs with these names add light of their own while they are on: `light_red`,
/// `light_green`, `light_blue`, and `strobe`, which is white and four times as bright as the ambient light.
///
/// A coloured light is twice as bright as the ambient light.
struct SceneLight: Hashable {
    var red: Int64 = 0
    var green: Int64 = 0
    var blue: Int64 = 0

    init() {}

    /// Adds up the light between two moments; whole microseconds, the rest of each share is cut off.
    init(lines: SimulatedLines, from start: Instant<Monotonic>, to end: Instant<Monotonic>) {
        let ambient = (end - start).nanoseconds / 1_000
        (red, green, blue) = (ambient, ambient, ambient)
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
    }
}
