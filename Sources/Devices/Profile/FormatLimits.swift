internal import Imaging
public import Timebase

/// What a camera can be set to in one of its formats.
public struct FormatLimits: Hashable, Sendable {
    /// The shortest and longest exposure; nil if it can't be set.
    public var exposure: ClosedRange<Interval>?
    /// The smallest and largest gain; nil if it can't be set.
    public var gain: ClosedRange<Gain>?
    /// The same as ISO values.
    public var iso: ClosedRange<Int64>?
    /// The slowest and fastest rate; nil if neither driver nor profile states it.
    public var rates: ClosedRange<FrameRate>?
    /// How the pixels of a raw sensor are read out; nil for other cameras.
    public var mode: SensorMode?
}

extension CameraProfile {
    /// The limits of a format: of its mode for raw sensors; for others the exposure ends at the slowest rate's period,
    /// which takes precedence over an exposure in every camera.
    public func limits(of format: CameraFormat) -> FormatLimits {
        var limits = FormatLimits()
        limits.gain = gain?.range
        limits.iso = gain?.isoRange
        var profile = self
        if let pixels = format.pixelFormat {
            let configuration = CaptureConfiguration(pixelFormat: pixels, size: format.size)
            if let adapted = try? adapted(to: configuration) { profile = adapted }
            limits.mode = sensorMode(pixels, format.size)
        }
        limits.exposure = profile.exposure?.range
        if let mode = limits.mode {
            let lines = mode.frameLines
            if let slow = SensorTiming.rate(mode, frameLines: lines.upperBound),
                let fast = SensorTiming.rate(mode, frameLines: lines.lowerBound)
            {
                limits.rates = slow...fast
            }
        } else if let fastest = format.rates.max(), let slowest = format.rates.min() {
            limits.rates = slowest...fastest
            if let range = limits.exposure, range.lowerBound < slowest.period {
                limits.exposure = range.lowerBound...min(range.upperBound, slowest.period)
            }
        }
        return limits
    }
}
