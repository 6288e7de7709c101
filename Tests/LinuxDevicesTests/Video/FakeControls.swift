import CVideo
import Glibc

/// The controls behind one device file, as V4L2's control framework keeps them: values are clamped in silence, blanking
/// moves the range of the exposure, and whoever subscribed to a control is told of others' writes.
final class FakeControls {
    struct Control {
        var id: UInt32
        var type: UInt32 = 1
        var flags: UInt32 = 0
        var range: ClosedRange<Int64> = 0...255
        var value: Int64 = 0

        static let wide: UInt32 = 5
    }

    /// Every call that wrote, whatever part it went to.
    final class Journal {
        var calls: [(file: String, values: [(id: UInt32, value: Int64)])] = []
    }

    struct Event {
        var id: UInt32
        var value: Int64
        /// Value 1, flags 2, range 4.
        var changes: UInt32 = 1
        var seconds: Int
    }

    private typealias Request = FakeVideoDevice.Request
    private static let exposure: UInt32 = 0x0098_0911
    private static let blanking: UInt32 = 0x009e_0901

    let journal: Journal
    /// The name of the device file; empty for the capture node.
    let file: String
    var controls: [Control] = []
    /// Lines that the exposure stays below the frame's, and of the picture; nil for a part that is no sensor.
    var sensor: (margin: Int64, height: Int64)?
    /// Controls whose writes come to nothing, in silence.
    var loses: Set<UInt32> = []
    var subscriptions: Set<UInt32> = []
    var events: [Event] = []

    init(file: String = "", journal: Journal) {
        self.file = file
        self.journal = journal
    }

    /// The value of a control.
    func value(_ id: UInt32) -> Int64? { controls.first { $0.id == id }?.value }

    func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        switch request {
        case Request.queryControl: return query(argument)
        case Request.getControls, Request.setControls: return exchange(request, argument)
        case Request.subscribeEvent:
            let asked = argument.assumingMemoryBound(to: v4l2_event_subscription.self).pointee
            guard asked.type == 3, controls.contains(where: { $0.id == asked.id }) else {
                return EINVAL
            }
            subscriptions.insert(asked.id)
            return 0
        case Request.dequeueEvent: return deliver(argument)
        default: return ENOTTY
        }
    }

    private func query(_ argument: UnsafeMutableRawPointer) -> Int32 {
        let query = argument.assumingMemoryBound(to: v4l2_query_ext_ctrl.self)
        let after = query.pointee.id & 0x0fff_ffff
        let next = controls.sorted { $0.id < $1.id }.first { $0.id > after }
        guard query.pointee.id & 0x8000_0000 != 0, let next else { return EINVAL }
        query.pointee.id = next.id
        query.pointee.type = next.type
        query.pointee.flags = next.flags
        query.pointee.minimum = next.range.lowerBound
        query.pointee.maximum = next.range.upperBound
        query.pointee.step = 1
        return 0
    }

    private func exchange(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        let batch = argument.assumingMemoryBound(to: v4l2_ext_controls.self)
        var written: [(id: UInt32, value: Int64)] = []
        for place in 0..<Int(batch.pointee.count) {
            guard let entry = batch.pointee.controls?.advanced(by: place),
                let index = controls.firstIndex(where: { $0.id == entry.pointee.id })
            else { return EINVAL }
            let isWide = controls[index].type == Control.wide
            if request == Request.setControls {
                // Read-only: EACCES. Grabbed: EBUSY.
                if controls[index].flags & 4 != 0 { return EACCES }
                if controls[index].flags & 2 != 0 { return EBUSY }
                let asked = isWide ? entry.pointee.value64 : Int64(entry.pointee.value)
                written.append((entry.pointee.id, asked))
                set(index, asked)
            } else if isWide {
                entry.pointee.value64 = controls[index].value
            } else {
                entry.pointee.value = Int32(controls[index].value)
            }
        }
        if request == Request.setControls { journal.calls.append((file, written)) }
        return 0
    }

    private func set(_ index: Int, _ asked: Int64) {
        if loses.contains(controls[index].id) { return }
        let range = controls[index].range
        controls[index].value = min(max(asked, range.lowerBound), range.upperBound)
        guard controls[index].id == FakeControls.blanking, let sensor,
            let exposure = controls.firstIndex(where: { $0.id == FakeControls.exposure })
        else { return }
        let longest = sensor.height + controls[index].value - sensor.margin
        controls[exposure].range = controls[exposure].range.lowerBound...longest
        controls[exposure].value = min(controls[exposure].value, longest)
    }

    private func deliver(_ argument: UnsafeMutableRawPointer) -> Int32 {
        while let told = events.first {
            events.removeFirst()
            guard subscriptions.contains(told.id) else { continue }
            let event = argument.assumingMemoryBound(to: v4l2_event.self)
            event.pointee = v4l2_event()
            event.pointee.type = 3
            event.pointee.id = told.id
            event.pointee.u.ctrl = v4l2_event_ctrl()
            event.pointee.u.ctrl.changes = told.changes
            if controls.first(where: { $0.id == told.id })?.type == Control.wide {
                event.pointee.u.ctrl.value64 = told.value
            } else {
                event.pointee.u.ctrl.value = Int32(told.value)
            }
            event.pointee.timestamp = timespec(tv_sec: told.seconds, tv_nsec: 5)
            return 0
        }
        return ENOENT
    }
}
