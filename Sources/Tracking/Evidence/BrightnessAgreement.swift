public import Timebase

/// Whether a frame's brightness agrees with the settings that it should have: the weakest evidence there is.
///
/// A neighbour is the measure: if brightness follows exposure and gain from one to the other, the frame has what it
/// should; if it stays although they differ, it may not. Anything else may be the scene's doing, and decides nothing.
public enum BrightnessAgreement: Hashable, Sendable {
    /// The pixels show the change of settings.
    case confirmed
    /// The pixels show the neighbour's settings.
    case contradicted
    /// They can't decide it.
    case undecided

    /// A frame's light and the settings that it should have.
    public struct Frame: BitwiseCopyable, Hashable, Sendable {
        /// The mean over the black level, in millionths of full scale.
        public var levelMillionths: Int64
        /// How many pixels are saturated, in millionths.
        public var saturatedMillionths: Int64
        /// The exposure that it should have.
        public var exposure: Interval
        /// The gain that it should have, in millionths.
        public var gainMillionths: Int64

        /// Creates a frame.
        public init(
            levelMillionths: Int64, saturatedMillionths: Int64 = 0, exposure: Interval,
            gainMillionths: Int64
        ) {
            self.levelMillionths = levelMillionths
            self.saturatedMillionths = saturatedMillionths
            self.exposure = exposure
            self.gainMillionths = gainMillionths
        }

        /// What a camera without noise makes of light: exposure times gain.
        fileprivate var product: Int128 { Int128(exposure.nanoseconds) * Int128(gainMillionths) }

        /// Whether its level follows its settings: neither in the dark nor cut off.
        public var isUsable: Bool {
            (10_000...1_000_000).contains(levelMillionths) && saturatedMillionths <= 10_000
                && product > 0 && product < 1 << 100
        }

        /// Whether brightness follows exposure and gain from a neighbour to this frame, within a fifth or another part
        /// of it.
        public func follows(_ neighbour: Frame, parts: Int128 = 5) -> Bool {
            isNear(
                Int128(levelMillionths) * neighbour.product,
                Int128(neighbour.levelMillionths) * product, parts: parts)
        }

        /// Whether it is as bright as a neighbour, to a twentieth.
        public func isAsBright(as neighbour: Frame) -> Bool {
            isNear(Int128(levelMillionths), Int128(neighbour.levelMillionths), parts: 20)
        }
    }

    /// Compares a frame with a neighbour whose settings are known.
    ///
    /// Settings have to differ by a factor of 1.5 at least. Brightness that follows them may be off by a fifth,
    /// brightness that stays by a twentieth: a camera whose tone curve flattens a change does not make it vanish.
    public init(_ frame: Frame, beside neighbour: Frame) {
        self = .undecided
        guard frame.isUsable, neighbour.isUsable,
            isLargeChange(frame.product, neighbour.product)
        else { return }
        if frame.follows(neighbour) {
            self = .confirmed
        } else if frame.isAsBright(as: neighbour) {
            self = .contradicted
        }
    }
}

/// Whether a change is large enough to be distinguished from what a scene does by itself: a factor of 1.5.
func isLargeChange(_ a: Int128, _ b: Int128) -> Bool { max(a, b) * 2 >= min(a, b) * 3 }

private func isNear(_ a: Int128, _ b: Int128, parts: Int128) -> Bool {
    max(a, b) * parts <= min(a, b) * (parts + 1)
}
