/// A time in UTC, taken apart by the proleptic Gregorian calendar.
public struct UTCTime: Hashable, Sendable {
    /// The date, for example `2026-11-20`.
    public let date: String
    /// The time of day, for example `14:03:22`.
    public let time: String
    /// Nanoseconds since the second began.
    public let nanoseconds: Int64

    /// Takes a reading of the host's clock apart.
    public init(_ instant: Instant<Realtime>) {
        let second: Int64 = 1_000_000_000
        let (days, inDay) = instant.nanoseconds.flooredQuotientAndRemainder(
            dividingBy: 86_400 * second)
        nanoseconds = inDay % second
        let seconds = inDay / second
        time =
            "\(Self.padded(seconds / 3_600)):\(Self.padded(seconds / 60 % 60))"
            + ":\(Self.padded(seconds % 60))"
        date = Self.date(days)
    }

    /// Date and time, for example `2026-11-20T14:03:22.000000000Z`.
    public var text: String { "\(date)T\(time).\(Self.padded(nanoseconds, 9))Z" }

    /// The calendar's date of a count of days since 1970-01-01.
    ///
    /// Years start in March here, so that the leap day is their last; 400 such years have 146,097 days.
    private static func date(_ days: Int64) -> String {
        let (era, dayOfEra) = (days + 719_468).flooredQuotientAndRemainder(dividingBy: 146_097)
        let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
    }

    private static func padded(_ value: Int64, _ width: Int = 2) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
