/// The camera as the host meets it: answers requests, reads frames out, and knows what is due when.
///
/// Without clock, file or socket: times come in as nanoseconds of CLOCK_MONOTONIC, answers go out as bytes.
package struct CameraMachine: Sendable {
    private var options: CameraOptions
    private let descriptors: DescriptorSet
    private var bank: ControlBank
    private var pipeline: SensorPipeline
    private var negotiation: StreamNegotiation
    private var session: StreamSession?
    private var streamCount = 0
    private var configurationNumber: UInt8 = 0
    private var lateAnswers: [LateAnswer] = []
    private var status = StatusQueue()
    private var outcomes: [FrameOutcome] = []
    private var plugging: PlugChange?
    private var strobeChanges: [StrobeChange] = []

    /// A control write whose answer waits; nil for one that never comes.
    private struct LateAnswer: Sendable {
        let number: UInt32
        let dueNanoseconds: Int64?
        let byteCount: Int
    }

    /// The camera leaves the bus, and comes back at a time or not at all.
    package struct PlugChange: Sendable, Equatable {
        package let replugNanoseconds: Int64?
    }

    package init(options: CameraOptions) {
        self.options = options
        descriptors = DescriptorSet(
            speed: options.speed, catalog: options.catalog, product: options.product,
            serial: options.serial)
        bank = ControlBank(behaviour: options.controls)
        pipeline = SensorPipeline(bank.values)
        negotiation = StreamNegotiation(catalog: options.catalog)
    }

    // MARK: - Time

    /// When something happens next without the host's doing; nil if nothing does.
    package var nextEventNanoseconds: Int64? {
        let stream = [
            session?.timeline.nextReadoutNanoseconds, session?.pipe.nextCompletionNanoseconds,
            session?.strobe.first?.time,
        ]
        return (stream + lateAnswers.map(\.dueNanoseconds)).compactMap { $0 }.min()
    }

    /// Does everything that is due by now, in order of time.
    package mutating func advance(to now: Int64, _ replies: inout USBIPReplies) {
        while let next = nextEventNanoseconds, next <= now, plugging == nil {
            if let index = lateAnswers.firstIndex(where: { $0.dueNanoseconds == next }) {
                let answer = lateAnswers.remove(at: index)
                replies.complete(answer.number, count: answer.byteCount)
            } else if session?.strobe.first?.time == next {
                strobeChanges += session?.takeStrobeChange().map { [$0] } ?? []
            } else if session?.timeline.nextReadoutNanoseconds == next {
                readOut(&replies)
            } else {
                session?.pipe.completeFirst(&replies)
            }
            collectOutcomes()
        }
    }

    private mutating func readOut(_ replies: inout USBIPReplies) {
        guard let session, let now = session.timeline.nextReadoutNanoseconds else { return }
        let counter = session.timeline.counter
        switch options.faults.fault(at: counter) {
        case .unplug:
            unplug(at: counter, now, session.mode)
            return
        case .forget:
            forget()
        default:
            break
        }
        let changes =
            self.session?.readOut(&pipeline, registers: bank.values, &replies) ?? []
        for (setting, value) in changes {
            bank.move(setting, to: value)
            schedule(setting, value)
            if let control = UVCControl.holding(setting) {
                status.add(control, bytes: bank.encode(control) { bank.values[$0] })
            }
        }
        status.deliver(&replies)
    }

    private mutating func unplug(at counter: Int, _ now: Int64, _ mode: StreamMode) {
        let back = options.faults.replug(after: counter).map { frame in
            now + Int64(frame - counter) * mode.periodNanoseconds
        }
        plugging = PlugChange(replugNanoseconds: back)
        options.faults.removePlugging()
    }

    private mutating func forget() {
        bank.reset()
        pipeline = SensorPipeline(bank.values)
    }

    /// What became of the frames since the last call, in their order.
    package mutating func takeOutcomes() -> [FrameOutcome] {
        defer { outcomes.removeAll(keepingCapacity: true) }
        return outcomes
    }

    /// The changes of the strobe output since the last call.
    package mutating func takeStrobeChanges() -> [StrobeChange] {
        defer { strobeChanges.removeAll(keepingCapacity: true) }
        return strobeChanges
    }

    /// A pulse on the trigger input of a triggered camera.
    ///
    /// - Returns: whether it makes a frame; not without a stream, nor while the sensor is busy.
    package mutating func trigger(at now: Int64) -> Bool {
        guard let counter = session?.timeline.counter else { return false }
        let settings = pipeline.forecast(frame: counter)
        return session?.trigger(at: now, settings: settings) ?? false
    }

    /// Whether the camera wants to leave the bus; asked once.
    package mutating func takePlugChange() -> PlugChange? {
        defer { plugging = nil }
        return plugging
    }

    /// Forgets everything that a camera forgets without power; faults that are over stay over.
    package mutating func powerCycle() {
        let streams = streamCount
        self = CameraMachine(options: options)
        streamCount = streams
    }

    private mutating func collectOutcomes() {
        guard session != nil else { return }
        outcomes += session?.pipe.takeOutcomes() ?? []
    }

    // MARK: - Requests

    /// Takes a request of the host; what is to be answered at once is.
    package mutating func handle(
        _ request: USBIPRequest, now: Int64, _ replies: inout USBIPReplies
    ) {
        switch request {
        case .unlink(let number, let target):
            replies.unlink(number, wasPending: takeBack(target))
        case .submit(let transfer):
            switch transfer.endpoint {
            case 0: control(transfer, now: now, &replies)
            case DescriptorSet.videoEndpoint where session != nil && transfer.packetCount > 0:
                session?.pipe.submit(transfer, now: now, &replies)
                collectOutcomes()
            case DescriptorSet.statusEndpoint:
                status.submit(transfer.number)
                status.deliver(&replies)
            default:
                replies.stall(transfer.number)
            }
        }
    }

    private mutating func takeBack(_ number: UInt32) -> Bool {
        if session?.pipe.unlink(number) == true { return true }
        if status.unlink(number) { return true }
        let late = lateAnswers.firstIndex { $0.number == number }
        if let late { lateAnswers.remove(at: late) }
        return late != nil
    }

    private mutating func control(
        _ transfer: TransferRequest, now: Int64, _ replies: inout USBIPReplies
    ) {
        let answer: [UInt8]?
        switch transfer.setup.kind {
        case .standard: answer = standard(transfer.setup, now: now)
        case .class:
            if let hang = hang(transfer) {
                lateAnswers.append(
                    LateAnswer(
                        number: transfer.number, dueNanoseconds: hang.map { now + $0 },
                        byteCount: transfer.data.count))
                if hang != nil { _ = classRequest(transfer) }
                return
            }
            answer = classRequest(transfer)
        case .vendor: answer = nil
        }
        guard let answer else { return replies.stall(transfer.number) }
        let data = transfer.isToHost ? Array(answer.prefix(transfer.byteCount)) : []
        replies.complete(
            transfer.number, count: transfer.isToHost ? data.count : transfer.data.count,
            data: data)
    }

    // MARK: - Standard requests (USB 2.0, section 9.4)

    /// The answer, empty for a request without one; nil is a stall.
    private mutating func standard(_ setup: SetupPacket, now: Int64) -> [UInt8]? {
        switch setup.request {
        case 0x00: return [0, 0]
        case 0x01, 0x03, 0x30, 0x31: return []
        case 0x06:
            return descriptors.descriptor(
                type: UInt8(setup.value >> 8), index: UInt8(setup.value & 0xFF))
        case 0x08: return [configurationNumber]
        case 0x09:
            configurationNumber = UInt8(truncatingIfNeeded: setup.value)
            session = nil
            return []
        case 0x0A: return [0]
        case 0x0B: return select(alternate: Int(setup.value), of: setup.index, now: now)
        default: return nil
        }
    }

    private mutating func select(alternate: Int, of interface: UInt16, now: Int64) -> [UInt8]? {
        guard UInt8(truncatingIfNeeded: interface) == DescriptorSet.streamingInterface else {
            return alternate == 0 ? [] : nil
        }
        guard (0...options.speed.alternates.count).contains(alternate) else { return nil }
        collectOutcomes()
        session = nil
        pipeline.settle()
        guard alternate > 0 else { return [] }
        if options.faults.forgetsAtStart { forget() }
        streamCount += 1
        session = StreamSession(
            number: streamCount, mode: negotiation.mode, options: options,
            settings: pipeline.forecast(frame: 0), now: now)
        return []
    }

    // MARK: - Class requests (UVC 1.5, chapter 4)

    private func hang(_ transfer: TransferRequest) -> Int64?? {
        guard !transfer.isToHost, let control = addressed(transfer.setup) else { return nil }
        return options.controls.hangs.first { hang in
            control.fields.contains { $0.setting == hang.setting }
        }.map(\.nanoseconds)
    }

    private func addressed(_ setup: SetupPacket) -> UVCControl? {
        guard UInt8(setup.index & 0xFF) == DescriptorSet.controlInterface else { return nil }
        return UVCControl.find(unit: UInt8(setup.index >> 8), selector: UInt8(setup.value >> 8))
    }

    private mutating func classRequest(_ transfer: TransferRequest) -> [UInt8]? {
        let setup = transfer.setup
        guard let request = UVCRequest(rawValue: setup.request) else { return nil }
        let selector = UInt8(setup.value >> 8)
        if UInt8(setup.index & 0xFF) == DescriptorSet.streamingInterface {
            return negotiation.answer(request, selector: selector, transfer.data)
        }
        if setup.index >> 8 == 0 {
            // Selector 2 of the interface itself: why the last request was stalled.
            return selector == 2 && request == .getCurrent ? [bank.lastRefusal?.rawValue ?? 0] : nil
        }
        guard let control = addressed(setup) else {
            _ = bank.refuse(.invalidControl)
            return nil
        }
        return try? settingRequest(request, control, transfer.data)
    }

    private mutating func settingRequest(
        _ request: UVCRequest, _ control: UVCControl, _ data: [UInt8]
    ) throws(ControlRefusal) -> [UInt8] {
        guard request == .setCurrent else { return try bank.read(request, of: control) }
        for (setting, value) in try bank.write(data, to: control) { schedule(setting, value) }
        return []
    }

    /// A value written while frame k is being exposed shows from frame k + latency.
    private mutating func schedule(_ setting: Setting, _ value: Int) {
        guard let exposing = session?.timeline.counter else {
            return pipeline.set(setting, value)
        }
        let latency = options.controls.range(setting).latencyFrames
        pipeline.schedule(setting, value, from: exposing + latency)
    }
}
