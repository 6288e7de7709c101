internal import Notation
internal import Timebase

/// The lines of `events.jsonl`: one JSON object a line, names instead of indices.
///
/// Every line has `at_ns` (session time at which the event was handled) and `event`; ``EventTable`` has the other
/// members. Times within an event are the kernel's own readings of CLOCK_MONOTONIC, as in the ledger's
/// `raw_timestamp_ns`.
///
/// Used by the record thread for writing and by readers of a run for reading; it keeps nothing but the plan's names.
struct EventLog {
    let names: RunNames

    init(_ names: RunNames) {
        self.names = names
    }

    /// Adds the line of an event, line end included.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - time: when it was handled.
    ///   - text: takes the bytes; nothing that is there is changed.
    func write(_ event: RunEvent, at time: Instant<Session>, to text: inout [UInt8]) {
        text.append(contentsOf: JSONValue.object(object(event, at: time)).utf8())
        text.append(UInt8(ascii: "\n"))
    }

    /// The event of an object; nil if it is none, or has other members than would be written.
    ///
    /// The object is written again and compared, order of members included: so a line that was changed by hand is found
    /// even where it still can be read.
    func parse(_ value: JSONValue) -> LoggedEvent? {
        guard let time = value["at_ns"]?.integerValue,
            let name = value["event"]?.stringValue.flatMap({ EventName(rawValue: $0) }),
            let event = EventTable.shared.event(name, value, names)
        else { return nil }
        let logged = LoggedEvent(event: event, time: Instant(nanoseconds: time))
        return .object(object(event, at: logged.time)) == value ? logged : nil
    }

    /// `at_ns` and `event` first, then the members of the event's kind, each in the table's order.
    private func object(_ event: RunEvent, at time: Instant<Session>) -> JSONObject {
        var object: JSONObject = [
            "at_ns": .integer(time.nanoseconds), "event": .string(EventName(event).rawValue),
        ]
        for (name, value) in EventTable.shared.members(event, names) { object[name] = value }
        return object
    }
}
