internal import CDevices
internal import Glibc
internal import Synchronization

/// One thread of the host, with a fixed priority if it is asked for.
///
/// Started with as much of what is asked as the host grants; what it refuses is in ``grant``.
public final class HostThread {
    /// How a thread is to run.
    public struct Options: Hashable, Sendable {
        /// The name that tools show; 15 characters count.
        public var name: String
        /// SCHED_FIFO priority 1…99; nil for an ordinary thread.
        public var priority: Int?
        /// The CPU to stay on; nil for any.
        public var cpu: Int?
        /// Bytes of stack.
        public var stackBytes: Int
        /// Whether all of the stack is resident before the thread's work begins, so that no page of it is missing in
        /// mid-run, and ``HostThread/stackBytesUsed`` is known.
        public var isStackResident = true

        /// The stack of a thread that nobody asks more for.
        ///
        /// A run used up to 264,472 of them in a release build and 392,008 in a debug build (``stackBytesUsed`` on
        /// amd64, with every recipe of the project and faults that write ahead, drop and stall).
        public static let usualStackBytes = 1024 * 1024

        /// Creates options.
        public init(
            name: String, priority: Int? = nil, cpu: Int? = nil,
            stackBytes: Int = Options.usualStackBytes
        ) {
            precondition(priority.map { (1...99).contains($0) } ?? true, "SCHED_FIFO has 1 to 99")
            self.name = name
            self.priority = priority
            self.cpu = cpu
            self.stackBytes = stackBytes
        }

        /// An ordinary thread for work that may wait: without a priority, and with as large a stack as any thread has.
        public static func ordinary(_ name: String) -> Options {
            var options = Options(name: name, stackBytes: 8 << 20)
            options.isStackResident = false
            return options
        }
    }

    /// What was granted and what was refused.
    public let grant: RealTimeGrant

    private let thread: UInt64
    private let work: Work
    private var isJoined = false

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - options: how it is to run.
    ///   - body: what it does; runs once.
    /// - Returns: nil only if the host can start no thread at all.
    public init?(_ options: Options, body: @escaping @Sendable () -> Void) {
        let work = Work(options, body)
        let context = Unmanaged.passRetained(work)
        var grant = RealTimeGrant()
        guard let thread = HostThread.start(options, context.toOpaque(), &grant) else {
            context.release()
            return nil
        }
        self.work = work
        self.thread = thread
        self.grant = grant
    }

    /// Starts a thread that a run cannot do without.
    package static func started(
        _ options: Options, _ body: @escaping @Sendable () -> Void
    ) -> HostThread {
        guard let thread = HostThread(options, body: body) else {
            preconditionFailure("the host can't start a thread")
        }
        return thread
    }

    /// What a thread with these options would be granted: asked before a run, so that nobody learns it in mid-run.
    public static func trial(_ options: Options) -> RealTimeGrant {
        HostThread(options, body: {})?.grant ?? RealTimeGrant()
    }

    /// Waits for the thread's end; called once, by whoever started it.
    public func join() {
        precondition(!isJoined, "a thread ends once")
        isJoined = true
        _ = fl_thread_join(thread)
    }

    /// Lets the thread end by itself; called once, instead of ``join()``.
    public func leave() {
        precondition(!isJoined, "a thread ends once")
        isJoined = true
        _ = fl_thread_leave(thread)
    }

    /// The most bytes of its stack that were in use at once; nil before ``join()``, and where the host does not report
    /// it.
    public var stackBytesUsed: Int? {
        let used = isJoined ? work.stackBytesUsed.load(ordering: .acquiring) : 0
        return used > 0 ? used : nil
    }

    deinit {
        if !isJoined { _ = fl_thread_join(thread) }
    }

    /// Tries everything that is asked, then without the CPU, then without the priority, then bare.
    private static func start(
        _ options: Options, _ context: UnsafeMutableRawPointer, _ grant: inout RealTimeGrant
    ) -> UInt64? {
        let cpu = options.cpu ?? -1
        let priority = options.priority ?? 0
        let attempts = [(priority, cpu), (priority, -1), (0, cpu), (0, -1)]
        var firstError: Int32 = 0
        for attempt in attempts {
            var thread: UInt64 = 0
            var request = fl_thread_options()
            request.priority = Int32(attempt.0)
            request.cpu = Int32(attempt.1)
            request.stack_bytes = UInt64(options.stackBytes)
            let result = fl_thread_start(&request, HostThread.run, context, &thread)
            if result < 0 {
                if firstError == 0 { firstError = result }
                continue
            }
            note(options, got: attempt, firstError, &grant)
            return thread
        }
        return nil
    }

    private static func note(
        _ options: Options, got: (priority: Int, cpu: Int), _ error: Int32,
        _ grant: inout RealTimeGrant
    ) {
        if let priority = options.priority {
            grant.note(
                "SCHED_FIFO priority \(priority)", got.priority == priority ? 0 : error,
                advice: "raise rtprio (LimitRTPRIO=\(priority) in the unit; people join the group "
                    + "framelock, which has it by deploy/install's `@framelock - rtprio 95`)")
        }
        if let cpu = options.cpu {
            grant.note(
                "CPU \(cpu) of \(fl_cpu_count())", got.cpu == cpu ? 0 : error,
                advice: "choose a CPU that this process may use")
        }
    }

    /// What the thread is given to do, kept alive until it starts.
    private final class Work: Sendable {
        let options: Options
        let body: @Sendable () -> Void
        let stackBytesUsed = Atomic<Int>(0)

        init(_ options: Options, _ body: @escaping @Sendable () -> Void) {
            self.options = options
            self.body = body
        }
    }

    // A static function, not a closure: one made in top-level code would belong to the main actor and trap here.
    private static let run: fl_thread_body = { context in
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        _ = fl_thread_name_self(work.options.name)
        let isFilled = work.options.isStackResident && fl_stack_fill() == 0
        work.body()
        if isFilled { work.stackBytesUsed.store(Int(fl_stack_used()), ordering: .releasing) }
        return nil
    }
}
