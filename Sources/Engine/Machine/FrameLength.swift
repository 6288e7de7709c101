/// Which frame length a raw sensor has, in a plan whose settings differ in it.
///
/// Between the write of another blanking and the first frames that surely keep its period, it is not known when
/// frames begin: no slot gets one of them.
struct FrameLength {
    /// So many frames in a row must surely show a blanking before its period is gone by: it shows in the interval after
    /// the first of them, and one is to spare for a timestamp that came late.
    private static let sureFrames = 2

    /// The settings whose blanking was written last, as an index; those of the stream's start are the first.
    private(set) var settings: Int32 = 0
    /// Whether frames may still have the one before, or one between.
    private(set) var isChanging = false
    /// Whether it has changed since the stream started: frames that no slot gets are counted from then on.
    private(set) var hasChanged = false
    /// Frames in a row that surely show what was written.
    private var sure = 0

    /// Another blanking is about to be written; to be called before the write, since the sensor may take it at once.
    mutating func change(to settings: Int32) {
        (self.settings, isChanging, hasChanged, sure) = (settings, true, true, 0)
    }

    /// The next frame has come.
    ///
    /// - Parameter isShown: whether it surely has what was written.
    /// - Returns: whether the new period holds from the next frame on.
    mutating func observe(isShown: Bool) -> Bool {
        guard isChanging else { return false }
        sure = isShown ? sure + 1 : 0
        guard sure >= Self.sureFrames else { return false }
        isChanging = false
        return true
    }
}
