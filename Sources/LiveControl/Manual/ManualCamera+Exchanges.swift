internal import Devices
internal import Timebase
internal import Tracking

extension ManualCamera {
    /// Writes settings that were checked: takes subjects over from their automatics first where that is not done.
    ///
    /// A lens alone goes to its starting point first where the profile states that it is approached; the way from there
    /// is ``lensMoves``, with the lens's settling time at each stop.
    ///
    /// - Parameters:
    ///   - quantised: settings that ``check(_:)`` has passed.
    ///   - subjects: those that are decided here; their automatics go off.
    ///   - id: whose they are; nil for a routine's.
    ///   - isDirect: whether the lens goes straight to its place, as sweeps do that approach by themselves.
    mutating func write(
        _ quantised: QuantisedSettings, _ subjects: Set<ManualSubject>, _ id: RequestID?,
        isDirect: Bool = false
    ) {
        var codes = quantised.codes
        var purpose = RunningExchange.Purpose.settle
        if !isDirect, subjects == [.focus], let target = quantised.settings.lens.asked {
            state.approach = []
            if let start = quantised.lensApproach {
                codes = [start]
                lensMoves = LensMoves(targets: [target], notBefore: .distantFuture, id: id)
                purpose = .lensMove(rest: quantised.settle)
            }
        }
        if profile.whiteBalance?.isMetadata ?? false,
            let kept = quantised.settings.whiteBalance.asked
        {
            state.balance = kept
        }
        perform(takeOver(subjects, quantised.settings, codes), purpose, subjects, codes, id)
    }

    /// Reads what is to stay, switches automatics off, writes what was read and what was asked, and reads it back.
    ///
    /// Automatics go off first and each in a call of its own, since cameras refuse values while one is on, and drivers
    /// send a batch in an order of their own.
    private func takeOver(
        _ subjects: Set<ManualSubject>, _ settings: FrameSettings, _ codes: [ControlValue]
    ) -> ControlExchange {
        let ordered = ManualSubject.allCases.filter { subjects.contains($0) }
        let taken = ordered.filter { !manual.contains($0) }
        let written = Set(codes.map(\.control))
        let kept = taken.flatMap { profile.controls(of: $0) }.filter { !written.contains($0) }
        var steps: [ControlExchange.Step] = kept.map { .keep($0) }
        for value in taken.flatMap({ profile.automaticsOff(of: $0) }) {
            steps.append(.write([value], isOptional: true))
        }
        if !kept.isEmpty { steps.append(.writeKept(kept)) }
        if !codes.isEmpty { steps.append(.write(codes, isOptional: false)) }
        let held = ordered.flatMap { profile.controls(of: $0) }
        let others = codes.map(\.control).filter { !held.contains($0) }
        return ControlExchange(steps + (held + others).map { .read($0) })
    }

    /// Orders an exchange; there is none under way.
    ///
    /// The groups that it disturbs are those that it writes, and all of a subject whose automatic goes off with it.
    private mutating func perform(
        _ exchange: ControlExchange, _ purpose: RunningExchange.Purpose,
        _ subjects: Set<ManualSubject>, _ expected: [ControlValue], _ id: RequestID?
    ) {
        var groups = ControlGroups()
        for value in expected { groups.insert(ControlGroups(profile.group(of: value.control))) }
        for subject in subjects.subtracting(manual) { groups.formUnion(subject.groups) }
        running = RunningExchange(
            purpose: purpose, id: id, subjects: subjects, groups: groups, begun: time,
            expected: expected)
        actions.append(.perform(exchange))
    }

    /// Writes the lens's next position when it has rested long enough; returns whether it did.
    mutating func moveLens(_ now: Instant<Monotonic>) -> Bool {
        guard var moves = lensMoves, now >= moves.notBefore, let focus = profile.focus else {
            return false
        }
        let target = moves.targets.removeFirst()
        let value = ControlValue(focus.control, focus.code(for: target))
        let isLast = moves.targets.isEmpty
        lensMoves = isLast ? nil : moves
        perform(
            ControlExchange([.write([value], isOptional: false), .read(focus.control)]),
            isLast ? .settle : .lensMove(rest: focus.settle),
            [.focus], [value], moves.id)
        return true
    }

    /// Takes note of what came of an exchange.
    ///
    /// A result that nothing was ordered for is ignored. A device that has another value than was written fails the
    /// request.
    mutating func finish(_ result: ExchangeResult, _ now: Instant<Monotonic>) {
        guard let done = running else { return }
        running = nil
        let before = codes
        noteWrite(done, result)
        for value in result.found { note(value) }
        if let error = result.failure ?? mismatch(done.expected, result.found) {
            return fail(done, error)
        }
        if done.purpose != .observe {
            manual.formUnion(done.subjects)
            drifting.subtract(done.subjects)
        }
        switch done.purpose {
        case .observe: noteDrift(from: before)
        case .lensMove(let rest):
            if let lens = state.lens { state.approach.append(lens) }
            lensMoves?.notBefore = result.writtenAt + rest
        case .settle:
            guard let place = pending.lastIndex(where: { $0.id == done.id && $0.awaited == nil })
            else { return }
            var awaited = AwaitedWrite(after: result.writtenAt)
            for subject in done.subjects {
                subject.groups.forEach { awaited.tickets[$0] = timeline.newestTicket($0) }
            }
            pending[place].awaited = awaited
        }
    }

    /// Tells the timeline what was written, under a ticket of its own; a failed write makes its groups uncertain.
    ///
    /// Values get the ticket's number, so no two writes count as the same value.
    private mutating func noteWrite(_ done: RunningExchange, _ result: ExchangeResult) {
        guard !done.groups.isEmpty else { return }
        lastTicket += 1
        let value = Int32(truncatingIfNeeded: lastTicket) & .max
        done.groups.forEach { group in
            timeline.beginWrite(value, to: group, ticket: lastTicket, at: done.begun)
        }
        timeline.endWrite(
            lastTicket, of: done.groups, begun: done.begun, ended: result.writtenAt,
            succeeded: result.failure == nil)
    }

    /// Looks at what the camera's own automatics do, where they are on.
    mutating func observeIfDue() -> Bool {
        let free = Set(ManualSubject.allCases).subtracting(manual)
        guard framesUnobserved >= options.observeEveryFrames, !free.isEmpty else { return false }
        framesUnobserved = 0
        return observe(free)
    }

    /// Orders a reading of subjects' controls; whether there was any to read.
    @discardableResult
    mutating func observe(_ subjects: Set<ManualSubject>) -> Bool {
        let ordered = ManualSubject.allCases.filter { subjects.contains($0) }
        let controls = ordered.flatMap { profile.controls(of: $0) }
        guard !controls.isEmpty else { return false }
        running = RunningExchange(purpose: .observe)
        actions.append(.perform(ControlExchange(controls.map { .read($0) })))
        return true
    }

    /// Takes note of which subjects an automatic of the camera has moved since the look before.
    private mutating func noteDrift(from before: [ControlValue]) {
        drifting = []
        for subject in ManualSubject.allCases where !manual.contains(subject) {
            let controls = profile.controls(of: subject)
            let had = before.filter { controls.contains($0.control) }
            let hasMoved = !had.isEmpty && had.contains { !codes.contains($0) }
            if hasMoved { drifting.insert(subject) }
        }
    }

    /// An exchange has failed: its request ends with the error, a routine's stops the requests that wait for it.
    private mutating func fail(_ done: RunningExchange, _ error: DeviceError) {
        if done.subjects.contains(.focus) { lensMoves = nil }
        if let place = pending.lastIndex(where: { $0.id == done.id && $0.awaited == nil }) {
            pending[place].failure = error
        }
        if done.id == nil {
            for ended in metering.stop(done.subjects) {
                actions.append(.complete(ended, .failed(error)))
            }
        }
        completePending()
    }

    /// A device that took something else than was written does not keep the contract; V4L2 clamps in silence.
    private func mismatch(_ expected: [ControlValue], _ found: [ControlValue]) -> DeviceError? {
        for wanted in expected {
            guard let had = found.last(where: { $0.control == wanted.control }),
                had.code != wanted.code
            else { continue }
            return DeviceError(
                .refused,
                "camera \(options.cameraID) was set to \(wanted.control.name) = \(wanted.code) and"
                    + " reads back \(had.code): its profile `\(profile.name)` promises more"
                    + " than it can do")
        }
        return nil
    }

    /// Turns a code that the device has into the value that it stands for.
    private mutating func note(_ value: ControlValue) {
        codes.removeAll { $0.control == value.control }
        codes.append(value)
        guard let component = profile.component(of: value.control) else { return }
        let found = profile.value(of: component, code: value.code)
        switch component {
        case .exposure: state.duration = found.map { Interval(nanoseconds: $0) }
        case .gain: state.gain = found.map { Gain(millionths: $0) }
        case .lens: state.lens = found.flatMap { LensPosition(millionths: $0) }
        case .temperature, .redGain, .blueGain: noteBalance(value)
        }
    }

    /// Turns the codes of a white balance into gains, once both are known, or into a temperature.
    private mutating func noteBalance(_ value: ControlValue) {
        guard let balance = profile.whiteBalance else { return }
        func code(_ control: CameraControl) -> Int64? {
            codes.first { $0.control == control }?.code
        }
        if let components = balance.components,
            [components.red, components.blue].contains(value.control),
            let red = code(components.red), let blue = code(components.blue)
        {
            state.balance = components.gains(redCode: red, blueCode: blue)
        }
        if let temperature = balance.temperature, temperature.control == value.control {
            state.balance = .temperature(kelvin: value.code, tintThousandths: 0)
        }
    }
}
