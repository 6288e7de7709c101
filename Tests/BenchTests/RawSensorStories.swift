extension RawSensorStory {
    private static let imx219 = Run("imx219", "SRGGB10P", "640x480", rate: 60)
        .with(\.brackets, 16).with(\.linesBefore, 2)
    private static let longIMX219 = imx219.with(\.brackets, 40)
    /// With good embedded data, which a real one does not have.
    private static let embedded = Run("imx219", "SRGGB10P", "1640x1232", rate: 40)
        .with(\.brackets, 8).with(\.linesBefore, 2)
    private static let longPeriod = Run("imx219", "SRGGB10P", "1640x1232", rate: 12)
        .with(\.brackets, 4).with(\.linesBefore, 2)

    private static func lostWrites(_ name: String, _ faults: String) -> RawSensorStory {
        RawSensorStory(name, faults, imx219, 81, "setting-contradicted")
            .with(\.options, "pattern=0")
    }

    /// Leaves transfers behind that the sensor will refuse.
    private static let refuseSetUp = """
        echo nak:100000@2 >$port/faults
        hardware/bench/csi/capture --size 640x480 --code SRGGB10 --frames 5 >&2 || true
        """

    /// Another program sets a control while the run goes on.
    private static func external(
        _ run: Run, _ name: String, _ setting: String
    ) -> RawSensorStory {
        RawSensorStory(name, "", run, 81, "control-changed")
            .with(\.script, "(sleep 1.2; v4l2-ctl -d $(subdev \(run.sensor)) -c \(setting)) &")
    }

    /// Debian's unicam driver, without embedded data.
    static let unicam = [
        RawSensorStory("drop", "drop@40", imx219, 80, "sequence-timestamp-mismatch"),
        RawSensorStory("late-1", "late:1000@40", imx219, 0),
        RawSensorStory("late-5", "late:5000@40-49", imx219, 0, #""why":"late""#),
        RawSensorStory("late-often", "late:9000@20/10", longIMX219, 0, #""why":"late""#),
        RawSensorStory("late-random", "late:9000~50", longIMX219, 0, #""why":"late""#),
        RawSensorStory("late-full", "late:16000@40", imx219, 0, #""why":"late""#),
        // Nothing but that frames are there too soon for their timestamps shows it; the profile's max_delay does not hold.
        RawSensorStory("late-always", "late:5000@0-2000", longIMX219, 83, #""why":"late""#),
        RawSensorStory("lose-start", "lose-start@40", imx219, 80, "frames-missing"),
        RawSensorStory("lose-end", "lose-end@40", imx219, 80, "sequence-timestamp-mismatch"),
        RawSensorStory("lose-both", "lose-start~15,lose-end~15", longIMX219, 80, "frames-missing"),
        RawSensorStory("nak", "nak@40", imx219, 81, "settings-written"),
        RawSensorStory("die", "die@40", imx219, 84, "stream"),
        RawSensorStory("faster", "", longIMX219.with(\.ratePerMillion, 300), 0)
            .with(\.options, "speed-ppm=1000300"),
        RawSensorStory("doubled", "", longIMX219, 81, "period-mismatch")
            .with(\.options, "speed-ppm=2000000"),
        RawSensorStory("slower", "", longIMX219.with(\.ratePerMillion, 560), 0)
            .with(\.options, "speed-ppm=999450"),
        RawSensorStory(
            "much-slower", "", longIMX219.with(\.ratePerMillion, 2000), 81, "period-mismatch"
        )
        .with(\.options, "speed-ppm=998000"),
        external(longIMX219, "blanking", "vertical_blanking=1700"),
        external(longIMX219, "amplified", "digital_gain=600"),
        lostWrites("lost-1", "lose-write:exposure:1@40"),
        lostWrites("lost-3", "lose-write:exposure:3@40"),
        lostWrites("lost-gain", "lose-write:gain:3@40"),
        lostWrites("lost-half", "lose-write:exposure:255@40"),
        lostWrites("lost-end", "lose-write:exposure:200@76"),
        RawSensorStory("nak-setup", "", imx219, 84, "could not start the stream").with(
            \.script, refuseSetUp
        )
        .with(\.verdict, nil),
    ]

    /// The Raspberry Pi 5's receiver, with embedded data.
    static let cfe = [
        RawSensorStory("drop", "drop@30", embedded, 80, "sequence-timestamp-mismatch"),
        RawSensorStory("late", "late:5000~100", embedded, 0, #""why":"late""#),
        // The interrupt is handled at its frame's end, just before the next one begins.
        RawSensorStory("late-full", "lose-start@5,late:30000@14", embedded, 0)
            .with(\.knownBy, "metadata"),
        // Frames whose end was lost come so late that their timestamps look as if they were in time.
        RawSensorStory("late-lose-ends", "late:6000@0-2000,lose-end@4/3", embedded, 83),
        // The first ones are there too soon for their timestamps; after them nothing shows the delay any more.
        RawSensorStory("late-lose-rest", "late:6000@0-60,lose-end@8-55", embedded, 0),
        // A frame is lost as timestamps begin to be late, or while all of them are.
        RawSensorStory("drop-late", "drop@30,late:6000@31-2000", embedded, 80, "frames-missing"),
        RawSensorStory(
            "late-lose-start", "late:6000@2-2000,lose-start@2/4", embedded, 80, "frames-missing"),
        // Where frames are sent for a third of their period, nothing is believed of those whose end was lost.
        RawSensorStory("late-lose-first", "late:2000@0-2000,lose-end@0-40", longPeriod, 83),
        RawSensorStory("lose-start", "lose-start@30", embedded, 80, "sequence-timestamp-mismatch"),
        RawSensorStory("lose-end", "lose-end@30", embedded, 0),
        RawSensorStory(
            "lose-end-start", "lose-end@30,lose-start@31", embedded, 80,
            "sequence-timestamp-mismatch"),
        // The picture of the last row is the next one's, and nothing behind it is wanted.
        RawSensorStory(
            "lose-end-last", "lose-end@51,lose-start@52", embedded, 80,
            "sequence-timestamp-mismatch"),
        RawSensorStory(
            "lose-end-two", "lose-end@30,drop@31,lose-start@32,no-embedded@32", embedded, 80,
            "sequence-timestamp-mismatch"),
        RawSensorStory("no-embedded", "no-embedded@30", embedded, 0),
        RawSensorStory("no-embedded-random", "no-embedded~100", embedded, 0),
        RawSensorStory("stale-embedded", "stale-embedded@30", embedded, 0, "metadata-mismatch"),
        RawSensorStory("stale-embedded-random", "stale-embedded~100", embedded, 0),
        RawSensorStory(
            "stale-embedded-always", "stale-embedded@0-9999", embedded, 81, "setting-contradicted"),
        RawSensorStory(
            "lost-writes", "lose-write:exposure:3@30", embedded, 81, "setting-contradicted"),
        RawSensorStory("lost-end", "lose-write:any:255@42", embedded, 81, "setting-contradicted"),
        RawSensorStory("nak", "nak:6@30", embedded, 81, "settings-written"),
        RawSensorStory("die", "die@30", embedded, 84, "stream"),
        RawSensorStory("left", "late:5000~50", embedded.with(\.isLeft, true), 0),
        RawSensorStory("slower", "", embedded.with(\.ratePerMillion, 560), 0)
            .with(\.options, "speed-ppm=999450"),
        // Its rows take half as long as the lines of its log, so that pictures are not held against times.
        RawSensorStory("binned", "", binned, 0).with(\.options, "pattern=0"),
    ]

    /// Two lines of its driver are one in its registers.
    private static let binned = Run("imx219", "SRGGB10P", "640x480", rate: 60)
        .with(\.brackets, 12).with(\.linesBefore, 2)
    private static let imx477Run = Run("imx477", "SRGGB12P", "2028x1080", rate: 30)
        .with(\.brackets, 12).with(\.linesBefore, 1)
    static let imx477 = [
        RawSensorStory("no-embedded", "no-embedded~100", imx477Run, 0),
        RawSensorStory("stale-embedded", "stale-embedded~100", imx477Run, 0),
        // Nothing but the pixels shows that it is not the settings that take two frames longer.
        RawSensorStory(
            "stale-embedded-always", "stale-embedded@0-9999", imx477Run, 81, "setting-contradicted"),
        RawSensorStory("late", "late:5000~100", imx477Run, 0),
        external(imx477Run, "amplified", "digital_gain=600"),
        external(imx477Run, "blanking", "vertical_blanking=3000"),
        external(imx477Run, "line", "horizontal_blanking=20000"),
    ]

    private static let imx708Run = Run("imx708", "SRGGB10P", "1536x864", rate: 60)
        .with(\.brackets, 12).with(\.linesBefore, 2).with(\.gains, "4.0x,2.5x,2.0x,1.5x,1.25x")
    static let imx708 = [
        RawSensorStory("no-embedded", "no-embedded~100", imx708Run, 0),
        RawSensorStory("stale-embedded", "stale-embedded~100", imx708Run, 0),
        RawSensorStory("late", "late:5000~100", imx708Run, 0),
    ]

    /// Frames are lost before it is known when frames begin, so that nobody counts them; the seed is one in which that
    /// cost the metadata of every row.
    static let imx708Legacy = [
        RawSensorStory(
            "lost-count", "lose-write:any:1~60,lose-end~50,drop~50", imx708Run, 80,
            "setting-contradicted", "metadata-mismatch"
        )
        .with(\.options, "seed=614").with(\.knownBy, "metadata")
    ]

    /// The Raspberry Pi 4's receiver.
    static let legacy = [
        RawSensorStory("lose-start", "lose-start@30", embedded, 80, "sequence-timestamp-mismatch"),
        RawSensorStory("lose-end", "lose-end@30", embedded, 80, "sequence-timestamp-mismatch"),
        RawSensorStory("drop", "drop@30", embedded, 80, "sequence-timestamp-mismatch"),
        RawSensorStory(
            "late-lose-end", "late:30000@30,lose-end@31", embedded, 80,
            "sequence-timestamp-mismatch"),
        RawSensorStory(
            "lose-end-start", "lose-end@30,lose-start@31", embedded, 80,
            "sequence-timestamp-mismatch"),
        // A run without embedded data does not stream the node that the other program holds.
        RawSensorStory(
            "held", "", embedded.with(\.profile, "imx219"), 84, "unicam-embedded",
            "is open in graph"
        )
        .with(\.script, "hardware/bench/csi/graph hold 100000 unicam-embedded & sleep 1")
        .with(\.verdict, nil),
    ]
}
