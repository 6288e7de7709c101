internal import Devices

/// Exposures and gains that were written and that no frame shows: a bracket puts the locked ones back, a group that is
/// taken again has them in frames that are thrown away.
///
/// What is written next and lost leaves the camera with these. Part of ``PixelEvidence``.
struct HiddenWrites {
    /// Writes of a group whose frame is still to come; more are not kept.
    private static let most = 128
    /// Of those that no frame shows, so many count: each may be lost or not.
    private static let mostHidden = 3

    /// Settings that a group was written for, the oldest first.
    private struct Written {
        var settings: [Int32] = []
        /// So many of them were written before a group was taken again: no row of that is theirs, unless nothing was
        /// written since.
        var abandoned = 0

        mutating func forget(_ count: Int) {
            settings.removeFirst(count)
            abandoned = max(0, abandoned - count)
        }
    }

    private let profile: CameraProfile
    private var written = PerGroup(repeating: Written())
    /// What was written last, whose controls are read back next; nil before the first write: what is read back then is
    /// what the camera begins with.
    private var last: Int32?

    init(_ profile: CameraProfile) { self.profile = profile }

    /// Takes note of writes, in the order of the log.
    mutating func note(_ event: RunEvent) {
        switch event {
        case .settingsWritten(let settings, _, 0): last = settings
        case .readBack(let settings, let control, _, _), .readBackFailed(let settings, let control):
            let group = profile.group(of: control)
            guard settings == last ?? settings, written[group].settings.last != settings else {
                return
            }
            written[group].settings.append(settings)
            if written[group].settings.count > Self.most { written[group].forget(1) }
        case .groupRepeated, .slotRetaken:
            for group in ControlGroup.all {
                written[group].abandoned = written[group].settings.count
            }
        default: break
        }
    }

    /// The settings that a group was written for since the last row, before those of the next row; often none.
    ///
    /// - Parameter isHole: whether no frame shows those of the row either, so that they are among them if they were
    ///   written.
    mutating func take(
        _ group: ControlGroup, before settings: Int32, isHole: Bool = false
    ) -> [Int32] {
        let all = written[group].settings
        let abandoned = written[group].abandoned
        guard
            let place = all[abandoned...].firstIndex(of: settings)
                ?? all[..<abandoned].lastIndex(of: settings)
        else { return [] }
        written[group].forget(place + 1)
        return Array(all[..<(isHole ? place + 1 : place)].suffix(Self.mostHidden))
    }
}
