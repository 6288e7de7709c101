internal import Glibc

/// Work on rows, cut into as many strips as there are threads.
enum Strips {
    /// Runs `body` for every strip at once, and waits for all.
    static func run(_ count: Int, rows: Int, _ body: (Range<Int>) -> Void) {
        // The threads end before this returns, so what `body` captures outlives them.
        withoutActuallyEscaping(body) { body in
            let strips = (0..<count).map { index in
                Strip(rows: index * rows / count..<(index + 1) * rows / count, body: body)
            }
            let threads = strips.dropFirst().map(start)
            strips[0].body(strips[0].rows)
            for thread in threads { pthread_join(thread, nil) }
        }
    }

    private final class Strip {
        let rows: Range<Int>
        let body: (Range<Int>) -> Void
        init(rows: Range<Int>, body: @escaping (Range<Int>) -> Void) {
            self.rows = rows
            self.body = body
        }
    }

    private static func start(_ strip: Strip) -> pthread_t {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let strip = Unmanaged<Strip>.fromOpaque(context).takeRetainedValue()
                strip.body(strip.rows)
                return nil
            }, Unmanaged.passRetained(strip).toOpaque())
        precondition(status == 0, "the host can start a thread")
        return thread
    }
}
