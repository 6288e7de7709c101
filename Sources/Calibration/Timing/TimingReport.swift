public import Devices
public import Timebase

/// When a camera exposes its rows, with bounds that hold whatever the camera's response is.
public struct TimingReport: Hashable, Sendable {
    /// A span of time that lies between two others.
    public typealias Span = ClosedRange<Interval>

    /// What it was found with, for example `light` or `strobe`.
    public enum Source: String, Hashable, Sendable {
        /// A light that flashes.
        case light
        /// The camera's own strobe output.
        case strobe
    }

    /// What it was found with.
    public var source: Source
    /// How rows are exposed; nil if the source does not show it.
    public var shutter: CameraProfile.Shutter?
    /// Whether the image is read from its last row to its first.
    public var isFlipped = false
    /// From row to row in picoseconds, of rows as they are delivered; nil for a global shutter, and if the source does
    /// not show it.
    public var rowPicoseconds: ClosedRange<Int64>?
    /// From the first to the last row; nil if the source does not show it.
    public var readout: Span?
    /// The exposure that was found; nil where no frame showed both of its ends.
    public var exposure: Span?
    /// The exposure that was set; nil if the camera has no such control.
    public var exposureSet: Interval?
    /// How much longer the exposure is than its code states, whatever the code; nil where either is not known, and for
    /// codes that have measured durations of their own.
    public var exposureOffset: Span?
    /// How long after the end of the first row's exposure each frame was timestamped; one for each frame that shows it,
    /// in order.
    ///
    /// That moment is the start of readout; an interval below 0 means a timestamp before it.
    public var delay: [Span]

    /// How long after the start of readout a timestamp lies, at most, for all frames seen.
    public var latest: Interval { delay.map(\.upperBound).max() ?? .zero }
    /// How long after it a timestamp lies at least; negative where one may lie before it.
    public var earliest: Interval { delay.map(\.lowerBound).min() ?? .zero }

    init(source: Source, delay: [Span]) {
        self.source = source
        self.delay = delay
    }

    /// Makes a report of a fit.
    ///
    /// - Parameters:
    ///   - globalSkew: how far apart the rows of a global shutter can still be, in nanoseconds; 0 for a rolling one.
    ///   - profile: for the offset of its exposure.
    /// - Throws: ``CalibrationError`` where no frame showed the end of an exposure.
    init(
        _ fit: TimingFit, rows: LitRows, exposureSet: Interval?, globalSkew: Int64,
        profile: CameraProfile
    ) throws(CalibrationError) {
        guard !fit.ends.isEmpty else {
            throw CalibrationError(
                "no frame showed the end of an exposure: flash longer (--pulse) or more often (--flashes)"
            )
        }
        self.init(
            source: .light,
            delay: fit.ends.sorted { $0.key < $1.key }.map { _, end in
                .nanoseconds(-end.upperBound) ... .nanoseconds(-end.lowerBound)
            })
        isFlipped = rows.isFlipped
        self.exposureSet = exposureSet
        exposure = fit.exposure.map {
            .nanoseconds(max(0, $0.lowerBound)) ... .nanoseconds($0.upperBound)
        }
        if let exposure, let exposureSet, let model = profile.exposure, model.table.isEmpty {
            let said = exposureSet - model.offset
            exposureOffset = exposure.lowerBound - said...exposure.upperBound - said
        }
        if let rowTime = fit.rowTime {
            let count = Int64(rows.rowCount - 1)
            shutter = .rolling
            rowPicoseconds = rowTime
            readout =
                .nanoseconds(rowTime.lowerBound * count / 1_000)
                ... .nanoseconds(dividedUp(rowTime.upperBound * count, by: 1_000))
        } else {
            shutter = .global
            readout = .zero ... .nanoseconds(max(0, globalSkew))
        }
    }
}
