internal import Dispatch
internal import Synchronization

/// As many threads as the machine has processors, for cases that know nothing of each other.
enum Workers {
    /// The results of all cases, in their order.
    ///
    /// - Throws: what the first of the cases threw that did.
    static func map<Value: Sendable>(
        _ cases: Range<Int>, _ body: @Sendable @escaping (Int) throws -> Value
    ) throws -> [Value] {
        let results = Mutex<[Int: Result<Value, any Error>]>([:])
        let next = Atomic(cases.lowerBound)
        DispatchQueue.concurrentPerform(iterations: processors) { _ in
            while true {
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < cases.upperBound else { return }
                let result = Result { try body(number) }
                results.withLock { $0[number] = result }
            }
        }
        return try results.withLock { results in
            try cases.map { number in
                guard let result = results[number] else {
                    preconditionFailure("every case was tried")
                }
                return try result.get()
            }
        }
    }

    private static let processors = 2
}
