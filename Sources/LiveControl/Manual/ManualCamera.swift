public import Devices
public import Timebase
internal import Tracking

/// The manual controls of one camera as a pure state machine: requests and frames in, writes and completions out.
///
/// The same events in the same order give the same actions, on every machine. Whoever drives it carries out each
/// ``ManualAction/perform(_:)`` and reports the result before anything else happens.
public struct ManualCamera: Sendable {
    /// What can be observed.
    public internal(set) var state = ManualState()
    /// What the camera is.
    public let profile: CameraProfile
    /// What else it needs.
    public let options: ManualOptions

    /// Requests that wait for the exchange before them.
    var waiting: [WaitingRequest] = []
    /// What the exchange that is being carried out belongs to.
    var running: RunningExchange?
    /// Requests that were written, or are about to be, in order of issue.
    var pending: [PendingRequest] = []
    /// Positions that the lens still goes to, and when.
    var lensMoves: LensMoves?
    /// Subjects whose automatic in the camera is off.
    var manual: Set<ManualSubject> = []
    /// The codes that were read back from the device.
    var codes: [ControlValue] = []
    /// Subjects whose values changed by themselves between the last two read-backs.
    var drifting: Set<ManualSubject> = []
    /// Frames since the last look at what the camera's own automatics do.
    var framesUnobserved = 0
    /// Which frame is which, and what each of them shows: as in a run.
    var clock: StreamClock
    var timeline: SettingsTimeline
    /// The number of the last write, from 1.
    var lastTicket: Int64 = 0
    /// When the event came that is being handled.
    var time = Instant<Monotonic>.distantPast
    var metering = MeteringCoordinator()
    /// Where and how autofocus searches: as the last focus request asked.
    var focusSearch = FocusSearch()
    /// Why the device is gone; every request fails with it from then on.
    var failure: DeviceError?
    /// What the event that is being handled leads to, in order.
    var actions: [ManualAction] = []

    /// Creates the controls of a camera of which nothing was read yet.
    public init(profile: CameraProfile, options: ManualOptions) {
        self.profile = profile
        self.options = options
        clock = StreamClock(
            model: profile.timestamps, nominalPeriod: options.rate?.period, quirks: profile.quirks)
        timeline = SettingsTimeline(profile: profile, promisedPeriod: options.rate?.period)
    }

    /// What to read before anything else, so that the state is known; its result is reported like any other.
    public mutating func begin() -> [ManualAction] {
        actions = []
        observe(Set(ManualSubject.allCases))
        return actions
    }

    /// Takes an event; returns what is to be done.
    ///
    /// - Parameters:
    ///   - event: a result only of the exchange that was ordered last.
    ///   - now: the present.
    /// - Returns: actions in order, with one exchange at most.
    public mutating func handle(_ event: ManualEvent, at now: Instant<Monotonic>) -> [ManualAction]
    {
        actions = []
        time = now
        switch event {
        case .request(let id, let request, let ifSupported):
            if let failure {
                actions.append(.complete(id, .failed(failure)))
            } else {
                waiting.append(
                    WaitingRequest(id: id, request: request, isOptional: ifSupported))
            }
        case .performed(let result): finish(result, now)
        case .frame(let frame): arrive(frame, now)
        case .tick: break
        case .lost(let error): lose(error)
        }
        advance(now)
        return actions
    }

    /// When a ``ManualEvent/tick`` is due at the latest.
    public var nextDeadline: Instant<Monotonic> {
        let locks = ManualSubject.allCases.compactMap { lockEnd($0) }
        return min(lensMoves?.notBefore ?? .distantFuture, locks.min() ?? .distantFuture)
    }

    /// When a subject's lock ends by itself; one that a metering is about to have stays locked until then.
    private func lockEnd(_ subject: ManualSubject) -> Instant<Monotonic>? {
        let isAwaited = metering.jobs.contains { $0.remaining.contains(subject) }
        return isAwaited ? nil : state[subject].lockedUntil
    }

    /// Does whatever can be done without waiting, as long as no exchange is under way.
    ///
    /// In this order: the lens on its way, locks that have ended, requests, what routines want written, a look at the
    /// camera's automatics.
    private mutating func advance(_ now: Instant<Monotonic>) {
        while running == nil, failure == nil {
            if moveLens(now) { continue }
            if let subject = expiredLock(now) {
                unlock([subject], by: nil)
                continue
            }
            if !waiting.isEmpty {
                let next = waiting.removeFirst()
                begin(next, now)
                continue
            }
            if meterNext(now) { continue }
            if !observeIfDue() { break }
        }
        noteAdjusting()
    }

    /// A subject whose lock has ended by itself; one at a time, since each may order an exchange.
    private func expiredLock(_ now: Instant<Monotonic>) -> ManualSubject? {
        ManualSubject.allCases.first { subject in lockEnd(subject).map { $0 <= now } ?? false }
    }

    /// Works out which subjects are on the way to something: written and not surely shown, metered, moved by the
    /// camera, or a lens between two positions.
    mutating func noteAdjusting() {
        for subject in ManualSubject.allCases {
            let isWritten = pending.contains { $0.subjects.contains(subject) && $0.sync == nil }
            state[subject].isAdjusting =
                isWritten || metering.isRunning(subject) || drifting.contains(subject)
                || (subject == .focus && lensMoves != nil)
                || (running?.subjects.contains(subject) ?? false)
        }
    }

    /// The device is gone: whatever was asked ends, in order of issue.
    private mutating func lose(_ error: DeviceError) {
        failure = error
        var ids = pending.compactMap(\.id) + waiting.map(\.id) + metering.requests
        if let id = running?.id, !ids.contains(id) { ids.append(id) }
        for id in ids.sorted() { actions.append(.complete(id, .failed(error))) }
        (pending, waiting, running, lensMoves) = ([], [], nil, nil)
        metering.stopAll()
    }
}

/// A request that has not begun.
struct WaitingRequest: Sendable {
    let id: RequestID
    let request: ManualRequest
    let isOptional: Bool
}

/// The exchange that is being carried out.
struct RunningExchange: Sendable {
    enum Purpose: Hashable, Sendable {
        /// Read how the camera stands.
        case observe
        /// Write what was asked.
        case settle
        /// Move the lens on its way to somewhere else.
        case lensMove(rest: Interval)
    }

    var purpose: Purpose
    var id: RequestID?
    var subjects: Set<ManualSubject> = []
    /// What it writes, and when it began.
    var groups: ControlGroups = []
    var begun = Instant<Monotonic>.distantPast
    /// What is read back from the device afterwards.
    var expected: [ControlValue] = []
}

/// A request whose values are written, or about to be.
struct PendingRequest: Sendable {
    /// Nil for a routine's own writes.
    let id: RequestID?
    let subjects: Set<ManualSubject>
    /// What a frame has to show; nil until everything is written.
    var awaited: AwaitedWrite?
    /// The first frame that surely shows it.
    var sync: SyncTime?
    /// The later request that took its place.
    var overtakenBy: RequestID?
    /// Why it could not be written.
    var failure: DeviceError?
}

/// What a frame has to show so that a request is in force.
struct AwaitedWrite: Sendable {
    /// The write of each group that it shows, or a later one.
    var tickets = PerGroup<Int64>(repeating: -1)
    /// When its readout had surely not begun.
    var after: Instant<Monotonic>
}

/// Positions that a lens still goes to.
struct LensMoves: Sendable {
    /// In order; the last one is the target.
    var targets: [LensPosition]
    /// The next one is not to be written before.
    var notBefore: Instant<Monotonic>
    /// Whose they are.
    let id: RequestID?
}
