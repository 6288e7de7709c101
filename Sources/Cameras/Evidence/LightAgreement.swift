public import Timebase

/// Whether a frame's brightness agrees with the settings that it should have: the weakest evidence there is.
///
/// A neighbour is the measure: if light goes by exposure and gain from one to the other, the frame has what it should;
/// if it stays although they differ, it does not. Anything else may be the scene's doing, and says nothing.
public enum LightAgreement: Hashable, Sendable {
    /// The pixels show the change of settings.
    case confirmed
    /// The pixels show the neighbour's settings.
    case contradicted
    /// They can't tell.
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

        /// Whether its level goes by its settings: neither in the dark nor cut off.
        fileprivate var isUsable: Bool {
            (10_000...1_000_000).contains(levelMillionths) && saturatedMillionths <= 10_000
                && product > 0 && product < 1 << 100
        }
    }

    /// Compares a frame with a neighbour whose settings are known.
    ///
    /// Settings have to differ by a factor of 1.5 at least, and light may be off by a fifth.
    public init(_ frame: Frame, beside neighbour: Frame) {
        self = .undecided
        guard frame.isUsable, neighbour.isUsable else { return }
        let (new, old) = (frame.product, neighbour.product)
        guard max(new, old) * 2 >= min(new, old) * 3 else { return }
        let (level, before) = (Int128(frame.levelMillionths), Int128(neighbour.levelMillionths))
        if Self.isNear(level * old, before * new) {
            self = .confirmed
        } else if Self.isNear(level, before) {
            self = .contradicted
        }
    }

    private static func isNear(_ a: Int128, _ b: Int128) -> Bool {
        max(a, b) * 5 <= min(a, b) * 6
    }
}
