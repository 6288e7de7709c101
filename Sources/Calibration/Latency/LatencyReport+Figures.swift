public import Devices

extension LatencyReport {
    /// What goes into the camera's profile: one figure for each of its latencies, with the histogram beside it.
    ///
    /// Controls that share a latency in the profile, as red and blue gain do, give one figure that holds for all of
    /// them: the most of their latencies, with the least beside it where they differ.
    ///
    /// - Parameter conditions: what it was measured with, for example `YUYV 640x480, 30 fps`.
    public func profileFigures(_ profile: CameraProfile, conditions: String) -> [MeasuredFigure] {
        var owners: [(owner: ProfileFigure.LatencyOwner, figures: [LatencyFigure])] = []
        for one in measured {
            guard let owner = Self.owner(of: one, in: profile) else { continue }
            if let place = owners.firstIndex(where: { $0.owner == owner }) {
                owners[place].figures.append(one.figure)
            } else {
                owners.append((owner, [one.figure]))
            }
        }
        return owners.map { owner, figures in
            let most = figures.map(\.frames).max() ?? 0
            let least = figures.map(\.leastFrames).min() ?? most
            return MeasuredFigure(
                least < most
                    ? .latencyRange(owner, frames: most, least: least)
                    : .latency(owner, frames: most),
                notes: figures.map(\.summary) + [conditions])
        }
    }

    /// Where the profile keeps the latency; of blanking, frame and line length have one each.
    private static func owner(
        of measured: Measured, in profile: CameraProfile
    ) -> ProfileFigure.LatencyOwner? {
        switch measured.subject {
        case .exposure: .exposure
        case .gain: .gain
        case .focus: .focus
        case .whiteBalance: .whiteBalance
        case .blanking:
            measured.figure.control == profile.sensor?.vertical.control
                ? .verticalBlanking : .horizontalBlanking
        }
    }
}

extension LatencyFigure {
    /// The figure in a line: `gain: 1 frame, exact; seen 1: 200, between frames: 50`.
    public var summary: String {
        let range = leastFrames == frames ? "\(frames)" : "\(leastFrames) to \(frames)"
        let unit = frames == 1 ? "frame" : "frames"
        return "\(control.name): \(range) \(unit), \(certaintyText); seen \(histogramText)"
    }

    /// Latencies and how often each was seen: `2: 198, 3: 2`.
    public var histogramText: String {
        let counts = tally.histogram.map { "\($0.frames): \($0.trials)" }
        let ranges = tally.rows.reduce(0) { $0 + $1.rangeCount }
        return (counts + (ranges > 0 ? ["too near a readout to decide: \(ranges)"] : []))
            .joined(separator: ", ")
    }

    /// How sure the figure is, and why it is not.
    public var certaintyText: String {
        switch certainty {
        case .exact: "exact"
        case .undecided: "timestamps may be too late to decide which"
        case .varying(let variation): variation.rawValue
        }
    }
}
