internal import Devices

/// Exposures and gains that were written and that no frame shows: a bracket puts the locked ones back, a group that is
/// taken again has them in frames that are thrown away, and what was written ahead is written over where a frame got
/// lost.
///
/// What is written next and lost leaves the camera with these. Part of ``PixelEvidence``.
struct HiddenWrites {
    /// Writes of a group whose frame is still to come; more are not kept.
    private static let most = 128
    /// Of those that no frame shows, so many count: each may be lost or not.
    private static let mostHidden = 3
    /// Slots that began anew and may have a write; more are not kept.
    private static let mostGivenUp = 8

    /// A write of a group.
    private struct Write: Equatable {
        let settings: Int32
        /// The first slot that waits for it; nil for none.
        let slot: Int64?
        /// The slots before that one that began anew since, the last few.
        private(set) var givenUpFor: [Int64] = []

        mutating func giveUp(for slot: Int64) {
            guard givenUpFor.last != slot else { return }
            givenUpFor = givenUpFor.suffix(HiddenWrites.mostGivenUp - 1) + [slot]
        }
    }

    private let profile: CameraProfile
    /// The oldest first.
    private var written = PerGroup<[Write]>(repeating: [])
    /// The slot that each group was written for last; −1 for none.
    private var writtenFor = PerGroup<Int64>(repeating: -1)
    /// What was written last, whose controls are read back next; nil before the first write: what is read back then is
    /// what the camera begins with.
    private var last: Write?
    /// Whether the stream is over: what is read then is what the camera is left with, and no frame has it.
    private var isStopped = false

    init(_ profile: CameraProfile) { self.profile = profile }

    /// Takes note of writes, in the order of the log.
    mutating func note(_ event: RunEvent) {
        switch event {
        case .settingsWritten(let settings, let slot, _, 0):
            last = Write(settings: settings, slot: slot)
        case .readBack(let settings, let control, _, _), .readBackFailed(let settings, let control):
            let write = Write(settings: settings, slot: last?.slot)
            let group = profile.group(of: control)
            // Several controls may be one write.
            guard !isStopped, write == last ?? write, write != written[group].last else { return }
            // Slots are written in their order; but for one whose frame has gone by, and which waits for another.
            if let slot = write.slot, slot < writtenFor[group] { giveUp(behind: slot) }
            writtenFor[group] = write.slot ?? -1
            written[group].append(write)
            if written[group].count > Self.most { written[group].removeFirst() }
        case .groupRepeated(_, let slot, _):
            giveUp(behind: slot)
            writtenFor = PerGroup(repeating: -1)
        case .slotRetaken(let slot, _, _): giveUp(behind: slot)
        case .streamStarted: isStopped = false
        case .streamStopped: isStopped = true
        default: break
        }
    }

    /// What was written ahead for slots behind one that begins anew may be what it begins with.
    ///
    /// A slot also begins anew, and no event says so, where its frame went by before it was known what that had: frames
    /// are missing that nobody counted, or a write took long.
    private mutating func giveUp(behind slot: Int64) {
        for group in ControlGroup.all {
            for place in written[group].indices where written[group][place].slot ?? .max > slot {
                written[group][place].giveUp(for: slot)
            }
        }
    }

    /// The settings that a group was written for since the last row, before those of the next row; often none.
    ///
    /// A row's own write is the last one for its slot or for one before it: what was written in between for slots to
    /// come, or for an attempt that was given up, is hidden. Where a slot begins anew and what was written last, for a
    /// slot behind it, is what it asks for, nothing is written again: then that is its own.
    ///
    /// - Parameters:
    ///   - isHole: whether no frame shows those of the row either, so that they are among them if they were written.
    ///   - isOwn: whether settings have the same of the group as the row's.
    /// - Returns: those settings, and whether the row has a write of its own.
    mutating func take(
        _ group: ControlGroup, before slot: Int64, isHole: Bool = false, isOwn: (Int32) -> Bool
    ) -> (hidden: [Int32], isWritten: Bool) {
        var found = written[group].lastIndex { $0.slot ?? .max <= slot }
        if let last = written[group][(found ?? 0)...].lastIndex(where: {
            $0.givenUpFor.contains(slot)
        }), isOwn(written[group][last].settings) {
            found = last
        }
        guard let own = found else { return ([], false) }
        let before = written[group][..<(isHole ? own + 1 : own)].suffix(Self.mostHidden)
        defer { written[group].removeFirst(own + 1) }
        return (before.map(\.settings), true)
    }
}
