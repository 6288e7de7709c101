internal import ArgumentParser
internal import LiveControl

/// How long a command looks at a camera; of `camera watch` and `camera preview`.
struct FrameLimit: ParsableArguments {
    /// How many items of the stream, 1 and more; nil until Ctrl-C, and a simulated camera then takes its time.
    @Option(help: ArgumentHelp("Stop after so many frames.", valueName: "count"))
    var frames: Int?

    func validate() throws {
        guard frames.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--frames takes 1 and more")
        }
    }

    /// Hands on what a session delivers, then ends it; without a number, until the stream ends by itself.
    ///
    /// Drops are not handed on and not counted. Runs on the concurrency pool, inside `Waiting.for`.
    ///
    /// - Parameters:
    ///   - output: the session's frames or reports.
    ///   - session: is ended once `frames` items were handed on.
    ///   - frames: how many items; nil for as many as come.
    ///   - body: what is done with each, in order.
    /// - Throws: why the stream ended, or what `body` throws.
    static func follow<Item>(
        _ output: LiveOutput<Item>, of session: CameraSession, frames: Int?,
        _ body: (Item) throws -> Void
    ) async throws {
        var count = 0
        for await delivery in output {
            guard case .item(let item) = delivery else { continue }
            try body(item)
            count += 1
            if count == frames { return await session.end() }
        }
        // The stream has ended by itself: the next request reports why.
        try await session.advance(frames: 1)
    }
}
