internal import Devices
internal import Imaging
internal import Instrument
internal import Logging
internal import Notation
internal import Recipes
internal import Records
internal import Timebase

/// What `check` and `plan` print of a recipe.
extension PlannedRecipe {
    /// Slots, time and bytes in a line.
    ///
    /// An endless plan has none of them. Waits for edges count as nothing, which the line states, as it does where only
    /// an assumed 30 fps gives the time.
    var estimateText: String {
        let warmUp =
            estimate.warmUpEdges == 0
            ? ""
            : "; edges at the start that only warm the camera up and make no row: \(estimate.warmUpEdges)"
        guard let slots = estimate.slots, let duration = estimate.duration,
            let bytes = estimate.bytes
        else { return "runs until it is stopped\(warmUp)" }
        let edges = estimate.waitsForEdges ? " and the waits for edges" : ""
        let about = duration.nanoseconds == .max ? "" : "about "
        let assumed = estimate.assumesRate ? ", if the camera delivers 30 fps" : ""
        return "\(slots.of("slot")), \(about)\(duration.roundedText)\(edges)\(assumed),"
            + " \(bytes.byteText) of pixels\(warmUp)"
    }

    /// What becomes of a slot whose frame is lost, stated or not.
    ///
    /// A triggered frame can't be taken again, whatever the recipe says.
    var lossText: String {
        switch plan.onLost {
        case .hole: "a slot that loses its frame is a hole (on_lost: hole)"
        case .retake where plan.camera.trigger != nil:
            "a slot that loses its frame is a hole: triggered frames can't be taken again"
        case .retake: "a slot that loses its frame waits for the next one (on_lost: retake)"
        }
    }

    /// The plan as text: a head, the settings, the slots.
    ///
    /// A raw sensor's rate is the exact one of its registers, and the line `timing` has its frame length, line time and
    /// blanking code.
    ///
    /// - Parameter listing: of the same plan.
    func text(_ listing: SlotListing) -> String {
        let configuration = plan.camera.configuration
        let profile = plan.camera.profile
        let rate =
            profile.timing.map { " at \($0.rateText)" } ?? configuration.rate.map { " at \($0)" }
            ?? ""
        var lines = [
            "recipe    \(plan.name)",
            "camera    \(plan.camera.id) (profile \(plan.camera.profile.name)):"
                + " \(configuration.pixelFormat.name) \(configuration.size)\(rate)",
            "estimate  \(estimateText)",
            "lost      \(lossText)",
            "plan      sha256 \(plan.digest)",
        ]
        if !sizes.isEmpty { lines.insert("size      \(sizes.joined(separator: ", "))", at: 3) }
        if let timing = profile.timing {
            lines.append(
                "timing    \(timing.frameLines) lines of \(timing.line.duration(ofCodes: 1)),"
                    + " \(timing.blanking.control.name) \(timing.blanking.code)")
        }
        for skipped in plan.skipped {
            lines.append(
                "skipped   \(skipped.group.words) \(skipped.asked): not supported by the camera"
            )
        }
        lines += plan.lines.map { "line      \($0.name): \(Self.wiring(of: $0))" }
        lines.append("")
        lines += listing.lines
        return lines.joined(separator: "\n")
    }

    /// Where a line is, and how it is read: `pinctrl-rp1 GPIO17 in, active low, debounced for 5 ms`.
    private static func wiring(of line: LineRequest) -> String {
        let place =
            switch line.position {
            case .name(let name): name
            case .offset(let number): "line \(number)"
            }
        let parts = [
            "\(line.chip) \(place) \(line.direction.rawValue)",
            line.isActiveLow ? "active low" : nil,
            line.debounce > .zero ? "debounced for \(line.debounce)" : nil,
            line.sensedBy.map { "sensed by \($0)" },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// The estimate as an object; null where it runs until it is stopped.
    ///
    /// `duration_ns` counts waits for edges as nothing: `waits_for_edges` is whether there are any. `warm_up_edges`
    /// have no slots.
    var estimateJSON: JSONValue {
        [
            "slots": estimate.slots.map { .integer($0) } ?? .null,
            "duration_ns": estimate.duration.map { .integer($0.nanoseconds) } ?? .null,
            "bytes": estimate.bytes.map { .integer($0) } ?? .null,
            "waits_for_edges": .bool(estimate.waitsForEdges),
            "warm_up_edges": .integer(estimate.warmUpEdges),
        ]
    }

    /// How fast it records, and what it takes in all with rows and events; the same on every machine.
    ///
    /// Empty where neither is known, as of a triggered camera until it is stopped.
    private var sizes: [String] {
        [
            disk.bytesPerSecond.map { "up to \($0.byteText)/s" },
            disk.bytes.map { "\($0.byteText) with its evidence" },
        ].compactMap { $0 }
    }

    /// The same, and what is free on this machine, with how long that lasts where nothing else ends the run:
    /// `up to 18.4 MB/s, 69.0 GB free in runs`.
    var diskText: String {
        let free = [
            disk.freeBytes.map { "\($0.byteText) free in \(disk.place)" },
            disk.lastsFor.map { "enough for \($0.roundedText) or more" },
        ]
        return (sizes + free.compactMap { $0 }).joined(separator: ", ")
    }

    /// Says so where the disk has no room for the whole run, which `run` refuses.
    func warnOfDisk() {
        guard disk.isTooMuch else { return }
        Console.log.warning("\(disk.shortage)")
    }

    /// What a run takes on the disk and what is free there; null for what is not known.
    var diskJSON: JSONValue {
        [
            "folder": .string(disk.place),
            "bytes": disk.bytes.map { .integer($0) } ?? .null,
            "bytes_per_second": disk.bytesPerSecond.map { .integer($0) } ?? .null,
            "free_bytes": disk.freeBytes.map { .integer($0) } ?? .null,
            "fits": .bool(!disk.isTooMuch),
        ]
    }

    /// The plan, the estimate and the slots as one object.
    ///
    /// `plan` is the canonical form that `plan_sha256` is of; `slots_are_complete` is false where `--slots` cut the
    /// list.
    func json(_ listing: SlotListing) -> JSONValue {
        [
            "plan_sha256": .string("\(plan.digest)"),
            "estimate": estimateJSON,
            "limits": limits,
            "plan": plan.json,
            "slots": listing.json,
            "slots_are_complete": .bool(listing.isComplete),
        ]
    }

    /// What the camera can be set to in the plan's format.
    private var limits: JSONValue {
        let profile = plan.camera.profile
        return FormatLimitsListing.json(
            exposure: profile.exposure?.range, iso: profile.gain?.isoRange,
            gain: profile.gain?.range)
    }
}
