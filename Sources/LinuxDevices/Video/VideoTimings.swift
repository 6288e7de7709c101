internal import CVideo
internal import Imaging
internal import Timebase

/// One progressive digital video timing: the size and the exact rate of an HDMI or SDI signal.
struct VideoTimings {
    /// Active pixels and rows.
    let size: FrameSize
    /// Pixel clock ÷ (total width × total height).
    let rate: FrameRate
    /// What the kernel is to be given back.
    let raw: v4l2_dv_timings

    /// Reads the kernel's form; nil for interlaced or unknown timings.
    init?(_ raw: v4l2_dv_timings) {
        let timings = raw.bt
        guard raw.type == UInt32(V4L2_DV_BT_656_1120), timings.interlaced == 0,
            let size = FrameSize(width: Int(timings.width), height: Int(timings.height)),
            let rate = VideoTimings.rate(timings)
        else { return nil }
        self.size = size
        self.rate = rate
        self.raw = raw
    }

    /// Pixel clock ÷ (total width × total height), exact; nil where the figures can't be or the quotient is no rate.
    private static func rate(_ timings: v4l2_bt_timings) -> FrameRate? {
        let blankColumns =
            UInt64(timings.hfrontporch) + UInt64(timings.hsync) + UInt64(timings.hbackporch)
        let blankRows =
            UInt64(timings.vfrontporch) + UInt64(timings.vsync) + UInt64(timings.vbackporch)
        let total = (UInt64(timings.width) + blankColumns) * (UInt64(timings.height) + blankRows)
        guard total > 0, total <= 1_000_000_000, timings.pixelclock > 0,
            timings.pixelclock <= 1_000_000_000_000
        else { return nil }
        // The reduced flag means 1000/1001 of the nominal rate (60 fps → 59.94 fps).
        let isReduced = timings.flags & UInt32(V4L2_DV_FL_REDUCED_FPS) != 0
        var clock = timings.pixelclock
        var divisor = total
        if isReduced { (clock, divisor) = (clock * 1000, divisor * 1001) }
        let common = commonDivisor(clock, divisor)
        return FrameRate(frames: Int64(clock / common), seconds: Int64(divisor / common))
    }

    /// By Euclid; both positive.
    private static func commonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }

    /// Whether these timings serve a request; a nil rate takes any.
    func fits(_ size: FrameSize, _ rate: FrameRate?) -> Bool {
        self.size == size && (rate.map { $0.isKept(by: self.rate) } ?? true)
    }

    /// For messages, for example `1920x1080 at 60 fps`.
    var text: String { "\(size) at \(rate)" }
}
