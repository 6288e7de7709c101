/// What `calibrate latency --json` says.
struct LatencyReport: Decodable {
    struct Control: Decodable {
        var control: String
        var frames: Int
        var least_frames: Int
        var exact: Bool
        var trials: Int
    }
    struct Flash: Decodable {
        var changes: Int
        var flashes: Int
    }
    struct Skipped: Decodable {
        var subject: String
        var reason: String
    }
    var controls: [Control]
    var skipped: [Skipped]
    var flash: Flash?
}
