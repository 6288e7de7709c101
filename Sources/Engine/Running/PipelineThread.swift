internal import Glibc

/// Threads of the recording pipeline.
enum PipelineThread {
    /// Runs `body` on a thread of its own, which keeps what it captures alive until it returns.
    static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t {
        final class Work {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        let status = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
            guard let attributes = memory.baseAddress else { return ENOMEM }
            // The capture thread starts it, and has a real-time priority that is to be its alone.
            pthread_attr_init(attributes)
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setinheritsched(attributes, Int32(PTHREAD_EXPLICIT_SCHED))
            pthread_attr_setschedpolicy(attributes, SCHED_OTHER)
            // What is not set is taken from the capture thread, and its priority does not go with this policy.
            var parameters = sched_param()
            pthread_attr_setschedparam(attributes, &parameters)
            return pthread_create(
                &thread, attributes,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, work)
        }
        precondition(status == 0, "the host can start a thread")
        return thread
    }
}
