internal import Devices

/// Finds the sets of settings that a plan has already.
///
/// Holds numbers alone and compares with the sets themselves: a dictionary would keep each of up to a million sets once
/// more, and filling that memory took a fifth of the time of compiling a sweep.
struct SettingsIndex {
    /// A set, at the place that its values lead to or at one of the next.
    private struct Entry {
        /// A part of ``FrameSettings/mixedBits``: where it differs, the sets need not be looked at.
        var mark: UInt32 = 0
        /// The number of the set; −1 where there is none.
        var number: Int32 = -1
    }

    /// A hash table with open addressing, a power of two long and at most half full.
    private var entries: [Entry] = []
    /// How many sets it knows: the plan's settings, in their order.
    private var count = 0

    /// Makes room for so many sets in all; what is there is put at its new places.
    ///
    /// - Parameters:
    ///   - total: sets, old and new.
    ///   - settings: the plan's, which the table's numbers mean.
    mutating func reserve(_ total: Int, of settings: [PlannedSettings]) {
        guard total * 2 > entries.count else { return }
        var size = max(64, entries.count)
        while size < total * 2 { size *= 2 }
        entries = Array(repeating: Entry(), count: size)
        for number in 0..<count {
            let (place, mark) = place(of: settings[number].requested, settings)
            entries[place] = Entry(mark: mark, number: Int32(number))
        }
    }

    /// The number of these settings; nil if the plan does not have them, and they are the next ones to be added to it.
    ///
    /// The number is taken then: whoever gets nil must append the set before asking again.
    mutating func number(_ requested: FrameSettings, of settings: [PlannedSettings]) -> Int32? {
        reserve(count + 1, of: settings)
        let (place, mark) = place(of: requested, settings)
        if entries[place].number >= 0 { return entries[place].number }
        entries[place] = Entry(mark: mark, number: Int32(count))
        count += 1
        return nil
    }

    /// Where these settings are, or belong, by linear probing; `mark` is what the entry's is compared with.
    private func place(
        of requested: FrameSettings, _ settings: [PlannedSettings]
    ) -> (place: Int, mark: UInt32) {
        let (bits, mask) = (requested.mixedBits, entries.count - 1)
        let mark = UInt32(truncatingIfNeeded: bits >> 32)
        var place = Int(truncatingIfNeeded: bits) & mask
        while case let entry = entries[place], entry.number >= 0 {
            if entry.mark == mark, settings[Int(entry.number)].requested == requested { break }
            place = (place + 1) & mask
        }
        return (place, mark)
    }
}
