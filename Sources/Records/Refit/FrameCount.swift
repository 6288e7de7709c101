internal import Devices

/// Counts the driver's numbers of frames on past 32 bits, in the order of rows.
///
/// A camera whose count restarts has no number from there on: nothing relates the two counts.
struct FrameCount {
    private var last: (number: UInt32, count: Int64)?
    private var isRestarted = false

    /// The number of the next frame; nil where it has none.
    mutating func count(_ number: UInt32?) -> Int64? {
        guard !isRestarted, let number else { return nil }
        guard let last else {
            self.last = (number, Int64(number))
            return Int64(number)
        }
        let count = last.count + Int64(Int32(bitPattern: number &- last.number))
        isRestarted = count <= last.count
        if isRestarted { return nil }
        self.last = (number, count)
        return count
    }
}
