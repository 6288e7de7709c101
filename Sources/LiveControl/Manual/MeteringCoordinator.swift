internal import Devices
internal import Imaging
internal import Timebase

/// The routines that are at work, and the requests that wait for them.
///
/// A part of ``ManualCamera``; it writes nothing itself. One routine per subject at most.
struct MeteringCoordinator: Sendable {
    /// The locked exposure that biases move, with what it was before the first of them; nil while none does.
    var lockedExposure: ExposureRoutine?
    /// A request that ends when its routines have ended, one after the other.
    struct Job: Sendable {
        let id: RequestID
        /// What is still to be metered; the first is at work.
        var remaining: [ManualSubject]
        /// The point of interest as long as it lasts; nil for those of the regions.
        let center: FramePoint?
        /// What has ended so far, and what was skipped.
        var results: [ManualSubject: MeteringResult] = [:]
        /// How long what was found is kept once all have ended; nil until it is unlocked.
        let lockDuration: Interval?

        /// Whether a subject is one of those that it meters, or has metered.
        func covers(_ subject: ManualSubject) -> Bool {
            remaining.contains(subject) || results[subject] != nil
        }
    }

    /// What of the frame was asked to count for exposure.
    var askedExposureRegion = MeteringRegion() { didSet { weights = exposureRegion.weights } }
    /// Where it was asked to look for sharpness.
    var askedFocusRegion = MeteringRegion()
    /// What of the frame counts for exposure at the moment.
    var exposureRegion: MeteringRegion { region(.exposure, askedExposureRegion) }
    /// Where sharpness is looked for at the moment.
    var focusRegion: MeteringRegion { region(.focus, askedFocusRegion) }
    /// The weights of ``exposureRegion``, worked out once per region: the offset needs them in every frame.
    private(set) var weights = MeteringRegion().weights

    var exposure: ExposureRoutine?
    var focus: FocusRoutine?
    var balance: WhiteBalanceRoutine?
    /// Whether the lens has left its place for a search that has not ended.
    var isSweeping = false
    var jobs: [Job] = [] { didSet { weights = exposureRegion.weights } }
    /// Subjects that are locked at what a routine found.
    var found: Set<ManualSubject> = []
    /// What routines want written, in order.
    var decisions: [(subject: ManualSubject, settings: FrameSettings)] = []

    /// A region with the point of the scan that the subject is in, if it has one.
    private func region(_ subject: ManualSubject, _ asked: MeteringRegion) -> MeteringRegion {
        var region = asked
        let scan = jobs.last { $0.center != nil && $0.covers(subject) }
        if let point = scan?.center { region.point = point }
        return region
    }

    /// Whether a routine decides on a subject and has not come to rest.
    func isRunning(_ subject: ManualSubject) -> Bool { routine(subject)?.state == .metering }

    /// The routine of a subject, if it is at work.
    func routine(_ subject: ManualSubject) -> (any MeteringRoutine)? {
        switch subject {
        case .exposure: exposure
        case .focus: focus
        case .whiteBalance: balance
        }
    }

    /// Requests that have not ended.
    var requests: [RequestID] { jobs.map(\.id) }

    /// Whether a subject may take this frame into account.
    ///
    /// Nothing else may change while the lens is swept; and the sweep does not begin before a metering of exposure or
    /// white balance that was asked for has ended.
    func mayRun(_ subject: ManualSubject) -> Bool {
        if subject != .focus { return !isSweeping }
        return isSweeping || !jobs.contains { $0.remaining.first.map { $0 != .focus } ?? false }
    }

    /// Stops the routines of some subjects; returns the requests that end with them.
    mutating func stop(_ subjects: Set<ManualSubject>) -> [RequestID] {
        let ended = jobs.filter { !subjects.isDisjoint(with: $0.remaining) }
        jobs.removeAll { job in ended.contains { $0.id == job.id } }
        for subject in subjects.union(ended.flatMap(\.remaining)) { dismiss(subject) }
        return ended.map(\.id)
    }

    /// Stops every routine and forgets the requests, which the caller has answered.
    mutating func stopAll() {
        jobs = []
        for subject in ManualSubject.allCases { dismiss(subject) }
    }

    /// Ends the routine of one subject, with the writes that it still wants; nothing counts as found for it any more.
    mutating func dismiss(_ subject: ManualSubject) {
        decisions.removeAll { $0.subject == subject }
        found.remove(subject)
        switch subject {
        case .exposure: exposure = nil
        case .focus: (focus, isSweeping) = (nil, false)
        case .whiteBalance: balance = nil
        }
    }
}
