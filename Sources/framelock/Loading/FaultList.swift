internal import Simulation

/// The faults that `framelock simulate --faults` names.
enum FaultList {
    private typealias Item = NamedList<InjectedFaults>.Item

    private static var list: NamedList<InjectedFaults> {
        NamedList(option: "--faults", noun: "fault", items: known)
    }

    /// All faults, in the order of `--help`: frames, controls, metadata, driver, clock, lines, host, disk, the end of
    /// the run.
    private static var known: [Item] {
        [
            Item("drop", "frames lost between camera and host", .chance { $0.driverDrops = $1 }),
            Item("device-drop", "frames lost inside the camera", .chance { $0.deviceDrops = $1 }),
            Item("damage", "frames marked as damaged", .chance { $0.damagedFrames = $1 }),
            Item("short", "frames with too few bytes", .chance { $0.shortFrames = $1 }),
            Item(
                "late-write", "control writes that block 1 to 8 frame periods longer",
                .chance { $0.lateWrites = $1 }),
            Item("lost-write", "writes acknowledged and lost", .chance { $0.lostWrites = $1 }),
            Item(
                "lost-write-run", "longest burst of lost writes", .count { $0.lostWriteRun = $1 }),
            Item(
                "ignored-control", "a control whose writes never show",
                .control { $0.ignoredControls.insert($1) }),
            Item(
                "reaction", "writes take effect this many frames later than usual",
                .extra { $0.extraLatency = $1 }),
            Item("refused-write", "writes that fail", .chance { $0.refusedWrites = $1 }),
            Item(
                "external-write", "frames in which another program changes a control",
                .chance { $0.externalWrites = $1 }),
            Item(
                "metadata-loss", "frames whose embedded metadata are lost",
                .chance { $0.lostMetadata = $1 }),
            Item(
                "metadata-late", "frames whose metadata come after the next frame's",
                .chance { $0.lateMetadata = $1 }),
            Item(
                "metadata-wrong", "frames with the embedded metadata of another frame",
                .chance { $0.wrongMetadata = $1 }),
            Item(
                "sequence-reset", "the driver numbers frames from 0 again",
                .moment { $0.sequenceReset = $1 }
            ),
            Item(
                "sequence-stuck", "its frame number stands still",
                .span { $0.sequenceStuck.append($1) }),
            Item(
                "timestamp-stuck", "its timestamps stand still",
                .span { $0.timestampStuck.append($1) }),
            Item(
                "jitter", "timestamps and frames late by up to this",
                .duration { $0.timestampJitter = $1 }),
            Item(
                "late-interrupt",
                "timestamps late by up to 0.8 periods, even after the frame arrived",
                .chance { $0.lateInterrupts = $1 }),
            Item(
                "lost-frame-end",
                "a raw sensor's end of a frame missed: it arrives with the next one's timestamp",
                .chance { $0.lostFrameEnds = $1 }),
            Item(
                "understated-pixel-rate", "a raw sensor twice as fast as its driver reports",
                .always { $0.understatesPixelRate = true }),
            Item(
                "half-rate", "frames come at half the rate, none of them lost",
                .span { $0.halfRates.append($1) }),
            Item(
                "timestamp-zero", "frames timestamped with zero", .chance { $0.zeroTimestamps = $1 }
            ),
            Item(
                "clock-step", "CLOCK_REALTIME is set by this much",
                .step { $0.clockSteps.append($1) }),
            Item("bounce", "edges whose contact bounces", .chance { $0.lines.bounces = $1 }),
            Item("edge-loss", "edges lost unnoticed", .chance { $0.lines.lostEdges = $1 }),
            Item(
                "edge-merge", "edges closer than this count as one",
                .duration { $0.lines.service = $1 }),
            Item(
                "edge-queue", "length of the kernel's queue of edge events",
                .count { $0.lines.kernelCapacity = $1 }),
            Item(
                "starve", "the capture thread gets no CPU time", .span { $0.starvation.append($1) }),
            Item("disk-stall", "the disk takes nothing", .span { $0.diskStalls.append($1) }),
            Item("disk-error", "frames refused with EIO", .chance { $0.diskErrors = $1 }),
            Item("disk-full", "no room from then on", .moment { $0.diskFull = $1 }),
            Item(
                "disk-rate", "limit of the disk's throughput", .rate { $0.diskBytesPerSecond = $1 }),
            Item("unplug", "the camera goes away", .moment { $0.unplugged = $1 }),
            Item("stop", "the run is asked to stop", .moment { $0.stopped = $1 }),
        ]
    }

    /// A line for each fault, in two columns.
    static var help: String { list.help }

    /// Reads a list; an empty text is a list without faults.
    ///
    /// - Throws: ``Failure`` with exit code 64 and the place of everything that is wrong.
    static func parse(_ text: String) throws -> InjectedFaults {
        try list.parse(text, into: InjectedFaults())
    }
}
