/// The interrupt endpoint: tells the host which controls the camera changed by itself.
struct StatusQueue: Sendable {
    private struct Change: Sendable {
        let unit: UInt8
        let selector: UInt8
        var bytes: [UInt8]
    }

    private var changes: [Change] = []
    private var transfers: [UInt32] = []

    /// Notes a change; an older one of the same control that nobody has fetched is overwritten.
    mutating func add(_ control: UVCControl, bytes: [UInt8]) {
        let known = changes.firstIndex {
            $0.unit == control.unit && $0.selector == control.selector
        }
        if let known {
            changes[known].bytes = bytes
        } else {
            changes.append(Change(unit: control.unit, selector: control.selector, bytes: bytes))
        }
    }

    mutating func submit(_ number: UInt32) { transfers.append(number) }

    mutating func unlink(_ number: UInt32) -> Bool {
        guard let index = transfers.firstIndex(of: number) else { return false }
        transfers.remove(at: index)
        return true
    }

    /// Completes as many waiting transfers as there are changes.
    mutating func deliver(_ replies: inout USBIPReplies) {
        while !transfers.isEmpty, !changes.isEmpty {
            let change = changes.removeFirst()
            // From the control interface, by this unit, control change, which control, its value.
            let packet = [0x01, change.unit, 0x00, change.selector, 0x00] + change.bytes
            replies.complete(transfers.removeFirst(), count: packet.count, data: packet)
        }
    }
}
