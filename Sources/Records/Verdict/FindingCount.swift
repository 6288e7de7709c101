internal import Devices
internal import Recipes

/// A finding that is a count of the tally: it is there where the count is above zero.
struct FindingCount {
    /// What more than none of it means.
    enum Weight {
        /// It is only reported.
        case never
        /// It can't be tolerated.
        case always
        /// It is held against a limit of the recipe, alone or as part of a sum.
        case limit(KeyPath<Requirements, Int64?>, KeyPath<RunTally, Int64>? = nil)
    }

    private let count: KeyPath<RunTally, Int64>
    private let weight: Weight
    private let text: (RunTally, Requirements) -> String

    /// - Parameters:
    ///   - count: how many.
    ///   - weight: whether that is over a limit.
    ///   - text: the sentence, without the limit.
    init(
        _ count: KeyPath<RunTally, Int64>, _ weight: Weight,
        _ text: @escaping (RunTally, Requirements) -> String
    ) {
        (self.count, self.weight, self.text) = (count, weight, text)
    }

    /// The finding of a run; nil if it has none of it.
    func finding(
        _ kind: Judgement.Finding.Kind, _ tally: RunTally, _ limits: Requirements
    ) -> Judgement.Finding? {
        guard tally[keyPath: count] > 0 else { return nil }
        let text = text(tally, limits)
        switch weight {
        case .never: return Judgement.Finding(kind, message: text, isOverLimit: false)
        case .always: return Judgement.Finding(kind, message: text, isOverLimit: true)
        case .limit(let path, let sum):
            let key = CountLimit.all.first { $0.path == path }.map { " of `\($0.name)`" } ?? ""
            guard let limit = limits[keyPath: path] else {
                return Judgement.Finding(
                    kind, message: text + " (no limit set)", isOverLimit: false)
            }
            return Judgement.Finding(
                kind, message: text + " (limit \(limit)\(key))",
                isOverLimit: tally[keyPath: sum ?? count] > limit)
        }
    }
}
