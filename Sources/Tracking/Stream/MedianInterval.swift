extension InlineArray where Element == Int64 {
    /// The median of the first of its elements: the greater one of the two in the middle.
    ///
    /// - Parameter fewer: how many, 1 to `count`. Sorted by insertion: for a handful.
    func median(ofFirst fewer: Int) -> Int64 {
        var sorted = self
        for index in 1..<fewer {
            var place = index
            while place > 0, sorted[place] < sorted[place - 1] {
                sorted.swapAt(place, place - 1)
                place -= 1
            }
        }
        return sorted[fewer / 2]
    }
}
