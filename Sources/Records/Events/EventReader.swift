internal import Devices
internal import Notation
internal import Timebase

/// An event of the log and when it was handled.
///
/// The time is that of the log's `at_ns`; what the kernel timestamped is in the event.
struct LoggedEvent: Hashable {
    let event: RunEvent
    let time: Instant<Session>
}

/// Reads `events.jsonl` line by line, strictly: what the log would not write is a fault.
///
/// Memory is that of one line, however long the run.
final class EventReader {
    /// What comes next in a log.
    enum Item: Hashable {
        /// An event.
        case event(LoggedEvent, line: Int)
        /// A line that is no event.
        ///
        /// With a message for people that does not name the file.
        case fault(String, line: Int)
        /// The file ends in the middle of this line.
        case cut(line: Int)
    }

    private let reader: LineReader
    private let log: EventLog

    /// - Parameter end: reads only so many bytes of the file.
    /// - Throws: ``StorageError`` if the file can't be opened.
    init(_ path: String, _ names: RunNames, upTo end: Int64 = .max) throws(StorageError) {
        reader = try LineReader(path, upTo: end)
        log = EventLog(names)
    }

    /// The next event or fault; nil at the end.
    ///
    /// - Throws: ``StorageError`` if the file can't be read; what is wrong with a line is an item instead.
    func next() throws(StorageError) -> Item? {
        guard let line = try reader.next() else { return nil }
        guard line.isComplete else { return .cut(line: line.number) }
        do {
            let value = try JSONReader.read(
                line.bytes, name: "events.jsonl", firstLine: line.number)
            guard let logged = log.parse(value) else {
                return .fault("not an event of this plan", line: line.number)
            }
            return .event(logged, line: line.number)
        } catch {
            let message = error.diagnostics.first?.message ?? "not JSON"
            return .fault(message, line: line.number)
        }
    }
}
