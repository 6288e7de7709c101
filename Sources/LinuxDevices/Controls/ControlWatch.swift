internal import CVideo
internal import Devices
internal import Timebase

/// Notices changes of controls that framelock did not make (V4L2_EVENT_CTRL).
///
/// Subscribed on the descriptors that framelock itself writes through: the kernel does not notify a descriptor of its
/// own writes. What it reports all the same (flags that follow an automatic, a range that follows the blanking, a
/// camera that confirms) is recognised by the value. Controls of drivers without control events (a lens's, often) are
/// read whenever the descriptors are polled: the change is then reported as of the reading before and as of this one;
/// it was in between.
///
/// Unsafe memory, because changes are read on the capture thread, which must not allocate.
final class ControlWatch {
    private struct Entry: BitwiseCopyable {
        /// `V4L2_CID_…`.
        var id: UInt32
        /// The part that has it, by its place among the devices.
        var device: Int32
        var isWide: Bool
        /// The value that the control has, as far as is known.
        var code: Int64
        /// When framelock wrote it last.
        var writtenAtNanoseconds: Int64
        /// Whether the driver reports changes; else the control is read.
        var sendsEvents: Bool
    }

    private let devices: [ControlDevice]
    private var entries: UnsafeMutableBufferPointer<Entry>
    /// What VIDIOC_DQEVENT fills.
    private let event: UnsafeMutablePointer<v4l2_event>
    /// Whether the kernel may have events for us.
    private var hasNews = false
    /// Whether some control is watched whose driver reports no changes.
    private var hasSilent = false
    /// Whether controls without events are to be read.
    private var mustLook = false
    /// When controls without events were read last.
    private var lookedAtNanoseconds: Int64 = .min
    /// A change that was found by reading, as of that reading.
    private var again: ControlChange?
    /// All own writes since changes were read last lie in this span.
    private var writing: (from: Int64, to: Int64) = (.max, .min)

    /// Watches nothing until ``start(_:)``.
    init(_ devices: [ControlDevice]) {
        self.devices = devices
        entries = UnsafeMutableBufferPointer(start: nil, count: 0)
        event = .allocate(capacity: 1)
        event.initialize(to: v4l2_event())
    }

    deinit {
        entries.deallocate()
        event.deallocate()
    }

    /// Watches these controls, and no others.
    ///
    /// Subscriptions of an earlier start stay with the descriptors; what they report of controls that are not watched
    /// any more is ignored. A control that can't be read is not watched. Not on the capture thread: it allocates.
    ///
    /// - Parameter places: the controls, with the place of their part among the devices.
    func start(_ places: [(id: UInt32, device: Int, isWide: Bool)]) {
        var started: [Entry] = []
        for place in places where !started.contains(where: { $0.id == place.id }) {
            var request = v4l2_event_subscription()
            request.type = UInt32(V4L2_EVENT_CTRL)
            request.id = place.id
            let device = devices[place.device]
            // A driver without control events returns EINVAL or ENOTTY.
            let sendsEvents = fl_subscribe_event(device.descriptor, &request) >= 0
            guard let code = try? device.list.read(place.id, isWide: place.isWide).get()
            else { continue }
            started.append(
                Entry(
                    id: place.id, device: Int32(place.device), isWide: place.isWide, code: code,
                    writtenAtNanoseconds: .min, sendsEvents: sendsEvents))
        }
        hasSilent = started.contains { !$0.sendsEvents }
        lookedAtNanoseconds = KernelClock.monotonicNanoseconds()
        again = nil
        entries.deallocate()
        entries = .allocate(capacity: started.count)
        _ = entries.initialize(from: started)
        hasNews = started.contains { $0.sendsEvents }
        mustLook = hasSilent
    }

    /// A write of ours begins; until changes are read, what the kernel reports may be its consequence.
    func beginWriting() {
        writing.from = min(writing.from, KernelClock.monotonicNanoseconds())
    }

    /// A write of ours is over, and failed.
    func endWriting() {
        writing.to = KernelClock.monotonicNanoseconds()
        // It may have taken long.
        hasNews = true
        mustLook = hasSilent
    }

    /// A write of ours is over.
    func noteWritten(_ values: UnsafeBufferPointer<ControlValue>) {
        endWriting()
        for value in values {
            for place in entries.indices where entries[place].id == value.control.rawValue {
                entries[place].code = value.code
                entries[place].writtenAtNanoseconds = writing.to
            }
        }
    }

    /// A control was read: what the device made of a write is no change by somebody else.
    func noteRead(_ value: ControlValue) {
        for place in entries.indices where entries[place].id == value.control.rawValue {
            entries[place].code = value.code
        }
    }

    /// The descriptors were polled: whether one of them has an event.
    ///
    /// Without news the span of our own writes is closed: what they caused would have come by now.
    func notePolled(hasNews: Bool) {
        mustLook = hasSilent
        if hasNews {
            self.hasNews = true
        } else if !self.hasNews {
            writing = (.max, .min)
        }
    }

    /// Takes the oldest change of another's making; asks the kernel only if there is news.
    ///
    /// A change that was found by reading comes twice: as of the reading before, and as of this one.
    func readChange() -> ControlChange? {
        if let change = again {
            again = nil
            return change
        }
        return nextEvent() ?? look()
    }

    /// What the kernel reports of changes.
    ///
    /// - Returns: the first change that is not ours; nil once all descriptors have no more events.
    private func nextEvent() -> ControlChange? {
        guard hasNews else { return nil }
        for device in devices.indices {
            while fl_dqevent(devices[device].descriptor, event) >= 0 {
                if let change = judge(device) { return change }
            }
        }
        hasNews = false
        writing = (.max, .min)
        return nil
    }

    /// Reads the controls of which the kernel sends no events.
    private func look() -> ControlChange? {
        guard mustLook else { return nil }
        let time = KernelClock.monotonicNanoseconds()
        for place in entries.indices where !entries[place].sendsEvents {
            let entry = entries[place]
            guard
                let code = try? devices[Int(entry.device)].list.read(entry.id, isWide: entry.isWide)
                    .get(), code != entry.code
            else { continue }
            entries[place].code = code
            let control = CameraControl(rawValue: entry.id)
            again = ControlChange(control, code, at: Instant(nanoseconds: time))
            let before = max(lookedAtNanoseconds, entry.writtenAtNanoseconds)
            return ControlChange(control, code, at: Instant(nanoseconds: before))
        }
        lookedAtNanoseconds = time
        mustLook = false
        return nil
    }

    /// The change that the event in hand reports; nil if it is of our own making, or nothing changed.
    private func judge(_ device: Int) -> ControlChange? {
        guard event.pointee.type == UInt32(V4L2_EVENT_CTRL) else { return nil }
        let timestamp = event.pointee.timestamp
        let time = Int64(timestamp.tv_sec) &* 1_000_000_000 &+ Int64(timestamp.tv_nsec)
        let reported = event.pointee.u.ctrl
        for place in entries.indices
        where entries[place].id == event.pointee.id && Int(entries[place].device) == device {
            let code = entries[place].isWide ? reported.value64 : Int64(reported.value)
            guard code != entries[place].code else { return nil }
            // Blanking that we write moves the range of the exposure, and with it, for a moment, its value; an
            // automatic that we switch reports its values.
            let isOurs = time >= writing.from && time <= writing.to
            let follows = UInt32(V4L2_EVENT_CTRL_CH_RANGE | V4L2_EVENT_CTRL_CH_FLAGS)
            if isOurs, reported.changes & follows != 0 { return nil }
            // What we wrote since has replaced it.
            if time >= entries[place].writtenAtNanoseconds { entries[place].code = code }
            return ControlChange(
                CameraControl(rawValue: entries[place].id), code, at: Instant(nanoseconds: time))
        }
        return nil
    }
}
