internal import Glibc

/// What a run asked of the host's scheduling and memory, and what it got; kept in the record.
public struct RealTimeGrant: Hashable, Sendable {
    /// One thing that was asked.
    public struct Item: Hashable, Sendable {
        /// What was asked, for example `SCHED_FIFO priority 75`.
        public var what: String
        /// Why it was refused and which limit to raise; nil if it was granted.
        public var refusal: String?

        /// Creates an item.
        public init(what: String, refusal: String? = nil) {
            self.what = what
            self.refusal = refusal
        }
    }

    /// Everything that was asked, in the order in which it was tried.
    public var items: [Item] = []

    /// Creates an empty record.
    public init() {}

    /// What was granted.
    public var granted: [String] { items.filter { $0.refusal == nil }.map(\.what) }
    /// What was refused, each with its reason.
    public var refused: [Item] { items.filter { $0.refusal != nil } }

    /// What two of them asked, one after the other.
    public static func + (a: RealTimeGrant, b: RealTimeGrant) -> RealTimeGrant {
        var sum = a
        sum.items += b.items
        return sum
    }

    /// Notes the result of a call.
    ///
    /// - Parameters:
    ///   - what: what was asked.
    ///   - result: 0 or the negative errno.
    ///   - advice: what to change if rights are missing.
    package mutating func note(_ what: String, _ result: Int32, advice: String) {
        guard let error = KernelError(result: result) else {
            items.append(Item(what: what))
            return
        }
        let isRights = [EPERM, EACCES, ENOMEM, EAGAIN].contains(error.code)
        items.append(
            Item(what: what, refusal: isRights ? "\(error); \(advice)" : error.description))
    }
}
