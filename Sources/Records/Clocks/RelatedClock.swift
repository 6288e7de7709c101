internal import Devices
internal import Notation
internal import Timebase

/// What is known of a clock of a run: its relation to the monotonic one.
///
/// Stands in the manifest for the end of a run, and in `refit.json` once more, from all readings.
package struct RelatedClock: Sendable {
    /// The clock's name in records.
    var name: String
    /// All readings of it, those that contradict the others too.
    var readings: Int64
    /// Ticks of the camera's own clock in a second; nil for every other clock.
    var ticksPerSecond: Int64?
    /// From the monotonic clock to this one; a camera's ticks are nanoseconds here, by their nominal rate.
    var relation: ClockSegments<Monotonic, DeviceClock>
}

extension JSONForm where Value == [RelatedClock] {
    /// A clock's object in both files; its name is that of the member that has it.
    private static let members: [JSONMember<RelatedClock>] = [
        .member("readings", \.readings, .number),
        .optional("ticks_per_second", \.ticksPerSecond, .number),
        .member("segments", \.relation, .segments),
    ]

    /// An object of clocks, by name.
    ///
    /// A name that comes twice is refused by whoever parses the text.
    static let clocks = JSONForm(
        write: { clocks in
            .object(JSONObject(clocks.map { ($0.name, .object(members.object($0))) }))
        },
        read: { json throws(JSONFault) in
            guard let object = json.objectValue else { throw JSONFault("is not an object") }
            var clocks: [RelatedClock] = []
            for member in object.members {
                var clock = RelatedClock(name: member.name, readings: 0, relation: .nothing)
                do throws(JSONFault) {
                    try members.read(member.value, into: &clock)
                } catch {
                    throw error.inside(member.name)
                }
                clocks.append(clock)
            }
            return clocks
        })
}

private typealias Segment = ClockSegment<Monotonic, DeviceClock>
private typealias Knot = ClockKnot<Monotonic, DeviceClock>

extension JSONForm where Value == ClockSegments<Monotonic, DeviceClock> {
    /// A list of segments, each with its knots: straight lines from knot to knot bound what the clock shows.
    ///
    /// Segments that overlap, or are not in the order of time, are refused.
    static let segments = JSONForm<[Segment]>.list(.segment).of(
        "segments in the order of time", { ClockSegments($0) }, { $0.segments })
}

extension JSONForm where Value == Segment {
    /// Whether it is steady or a break, and its knots.
    fileprivate static let segment = JSONForm(
        oneOf: JSONVariant(
            JSONField("kind", JSONForm<Segment.Kind>.word),
            JSONField("knots_ns", JSONForm<[Knot]>.list(.knot)),
            make: { Segment($0, $1) }, parts: { ($0.kind, $0.knots) }))
}

extension JSONForm where Value == Knot {
    /// A time of the monotonic clock, and what the other one shows then at least and at most.
    ///
    /// Three whole numbers of nanoseconds; the second must not be above the third.
    fileprivate static let knot: JSONForm = JSONForm<[Int64]>.list(.number).of(
        "a time and its two bounds",
        { (numbers: [Int64]) -> Knot? in
            guard numbers.count == 3, numbers[1] <= numbers[2] else { return nil }
            return Knot(
                at: Instant(nanoseconds: numbers[0]), earliest: Instant(nanoseconds: numbers[1]),
                latest: Instant(nanoseconds: numbers[2]))
        }, { [$0.time.nanoseconds, $0.earliest.nanoseconds, $0.latest.nanoseconds] })
}
