internal import Devices
internal import Timebase

/// Whether timestamps drift away from a period, which shows that frames have another one.
///
/// Timestamps are late now and then, never early: of some in a row, the one that is least late shows where frames
/// begin. Where that moves on by the same from block to block, and by more than crystals and slewing explain, it is the
/// period that differs. Delay that sets in or ends moves it once, and frames lost inside the camera move it by whole
/// periods.
///
/// A value of fixed size; nothing in it allocates.
struct PhaseDrift: Sendable {
    /// A block takes so long at least, in nanoseconds, and has so many frames.
    private static let shortest: Int64 = 250_000_000
    private static let frames: ClosedRange<Int64> = 16...64
    /// Blocks that have to move alike.
    private static let blocks = 4
    /// So many timestamps are in doubt once frames seem to be lost: they may as well have been late by nearly a period.
    private static let mostDoubtful = 9

    /// A timestamp: how far it is behind the period since the first of them, and the places since then.
    private struct Mark: BitwiseCopyable {
        var excess: Int64 = 0
        var place: Int64 = 0
    }

    private let period: Int64
    private let delay: Int64
    private let block: Int64

    private var last: Int64?
    private var now = Mark()
    /// The excess before that, and the least one of the last block.
    private var excessBefore: Int64 = 0
    private var middle = Mark()
    /// The least late timestamp of this block, and of the blocks before.
    private var least: Mark?
    private var inBlock: Int64 = 0
    private var doubtful = 0
    private var leasts = InlineArray<4, Mark>(repeating: Mark())
    private var ended = 0

    /// - Parameters:
    ///   - period: the period in doubt, in nanoseconds.
    ///   - delay: how late timestamps usually are at most.
    init(period: Int64, delay: Int64) {
        self.period = period
        self.delay = delay
        block = min(max(Self.shortest / period, Self.frames.lowerBound), Self.frames.upperBound)
    }

    /// Takes the next timestamp.
    ///
    /// - Parameter frames: frames since the one before by the driver's sequence; nil if it does not count them.
    /// - Returns: the period that frames have, if it is surely another one.
    mutating func observe(_ timestamp: Int64, frames: Int64?) -> Int64? {
        defer { last = timestamp }
        guard let last, let frames, (1...16).contains(frames) else {
            self = PhaseDrift(self)
            return nil
        }
        excessBefore = now.excess
        now.excess += timestamp - last - period * frames
        now.place += frames
        leaveOutLost()
        doubtful = max(0, doubtful - 1)
        if doubtful > 0, isTooEarly { return nil }
        if least.map({ now.excess < $0.excess }) ?? true { least = now }
        inBlock += 1
        return inBlock >= block ? endBlock() : nil
    }

    /// Two timestamps in a row that are a period too late were made after frames that nobody counted.
    private mutating func leaveOutLost() {
        let behind = min(now.excess, excessBefore) - middle.excess + period / 4
        let lost = behind.flooredQuotientAndRemainder(dividingBy: period).quotient
        guard lost != 0 else { return }
        now.excess -= lost * period
        now.place += lost
        doubtful = lost > 0 ? Self.mostDoubtful : 0
    }

    /// Whether a timestamp is earlier than the last block lets it be, if nothing was lost and the period is right.
    private var isTooEarly: Bool {
        let span = period * (now.place - middle.place)
        return now.excess < middle.excess - SensorClock.doubt(of: span) - delay
    }

    /// Nothing is known of what came before.
    private init(_ other: PhaseDrift) {
        (period, delay, block) = (other.period, other.delay, other.block)
    }

    private mutating func endBlock() -> Int64? {
        guard let least else { return nil }
        (middle, inBlock, self.least) = (least, 0, nil)
        for index in 1..<Self.blocks { leasts[index - 1] = leasts[index] }
        leasts[Self.blocks - 1] = least
        ended += 1
        return ended >= Self.blocks ? found : nil
    }

    /// The period that the last blocks agree on.
    private var found: Int64? {
        let (first, last) = (leasts[0], leasts[Self.blocks - 1])
        let places = last.place - first.place
        let drift = last.excess - first.excess
        guard places > 0, abs(drift) > SensorClock.doubt(of: period * places) + delay
        else { return nil }
        for index in 1..<Self.blocks {
            let (before, mark) = (leasts[index - 1], leasts[index])
            let expected = drift * (mark.place - before.place) / places
            let apart = abs(mark.excess - before.excess - expected)
            guard apart <= abs(expected) / 4 + delay / 2 else { return nil }
        }
        return period + drift / places
    }
}
