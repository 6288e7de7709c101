internal import Devices
internal import Timebase

/// Which edge a frame has, by its time.
extension TriggerMatcher {
    mutating func place(_ frame: TriggeredFrame) {
        missing = missing.flatMap { before in frame.missing.map { before + $0 } }
        var first = 0
        while first < edges.count, window.closes(edges[first].timestamp) < frame.earliestReadout {
            first += 1
        }
        var end = first
        while end < edges.count, window.holds(frame, after: edges[end].timestamp) { end += 1 }
        var chosen = first
        while chosen < end, isEarly(edges[chosen]) { chosen += 1 }
        guard first < end else {
            if strays.isFull, let oldest = strays.popFirst() {
                decide(.ambiguous, nil, oldest.sequence)
            }
            return strays.append(frame)
        }
        // A frame of edges that were all too early contradicts what is known of the camera.
        if chosen == end { return pair(frame, first..<end, isCertain: false) }
        let isCertain = chosen + 1 == end || isFirstTaken(chosen, end)
        pair(frame, chosen..<end, isCertain: isCertain)
    }

    /// Whether, of several edges that fit a frame, the camera surely took the first one and none of the others.
    private func isFirstTaken(_ first: Int, _ end: Int) -> Bool {
        if let taken {
            // Of edges before it, any may have been taken whose frame is missing.
            let latest =
                missing == 0 || first == 0 ? taken.latest : edges[first - 1].timestamp
            guard window.isSurelyReady(edges[first].timestamp, after: latest) else { return false }
        } else if first > 0, missing != 0 {
            return false
        }
        var next = first + 1
        while next < end {
            guard window.isSurelyEarly(edges[next].timestamp, after: edges[first].timestamp) else {
                return false
            }
            next += 1
        }
        return true
    }

    /// Decides a frame together with the edges that it may belong to, and everything before them.
    private mutating func pair(
        _ frame: TriggeredFrame, _ range: Range<Int>, isCertain: Bool
    ) {
        let (first, last) = (edges[range.lowerBound], edges[range.upperBound - 1])
        let isCounted = closeSection(before: range.lowerBound, frame)
        missing = 0
        // The section is gone: what the frame may belong to comes first now.
        if isCertain, isCounted || first.lostBefore == 0 {
            edges.removeFirst(1)
            taken = Taken(earliest: first.timestamp, latest: first.timestamp)
            dropEarly(within: window.width)
            decide(.matched, first.edge, frame.sequence)
        } else {
            edges.removeFirst(1)
            taken = Taken(
                earliest: first.timestamp, latest: isCertain ? first.timestamp : last.timestamp)
            decide(.ambiguous, first.edge, frame.sequence)
            var left = isCertain ? 0 : range.count - 1
            while left > 0, let other = edges.popFirst() {
                decide(.ambiguous, other.edge)
                left -= 1
            }
        }
        dropEarly(within: nil)
    }
}
