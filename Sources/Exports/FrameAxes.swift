internal import Devices
internal import Notation
internal import Recipes
internal import Records

/// The axes of selected frames: time, focus and channel, where they are a full grid; else time alone.
///
/// A channel is what a frame was taken with, but for its lens position: label, lights, exposure, gain, white balance.
/// Frames are a grid where each channel was taken at each lens position as often as any other, and there are no more
/// than 16 channels. The n-th frame of a channel at a lens position is at time n.
struct FrameAxes {
    /// More would be no channels that a person looks at, one over the other.
    private static let mostChannels = 16
    /// More lens positions than anybody focuses through in one stack.
    private static let mostPositions = 100_000

    /// Where a frame is in the grid, from 0.
    struct Place: Hashable {
        var t: Int64
        var z, c: Int
    }

    /// What decides about channel and lens position of a row.
    private struct Kind: Hashable {
        let step, settings: Int32
        let lights: UInt32
    }

    private struct Cell: Hashable {
        let z, c: Int
    }

    private let run: RecordedRun
    private var kinds: [Kind: Cell] = [:]
    private var counts: [Cell: Int64] = [:]
    private var isSeries = false
    /// Every channel by its parts, in the order of their first frames.
    private var channelParts: [[String]] = []
    /// Lens positions in millionths, in the order of their first frames; nil where none is asked for.
    private(set) var positions: [Int64?] = []
    /// Rows that were added.
    private(set) var rowCount: Int64 = 0

    init(_ run: RecordedRun) { self.run = run }

    /// Takes a selected row; a hole has its place in the grid too.
    mutating func add(_ entry: LedgerEntry) {
        rowCount += 1
        guard !isSeries else { return }
        counts[cell(entry), default: 0] += 1
        isSeries = channelParts.count > Self.mostChannels || positions.count > Self.mostPositions
    }

    /// Whether the rows that were added are a full grid.
    var isGrid: Bool {
        let most = counts.values.max()
        return !isSeries && counts.count == channelParts.count * positions.count
            && counts.values.allSatisfy { $0 == most }
    }

    /// Why the rows are no full grid, in words for people; nil where they are one.
    var whyNoGrid: String? {
        guard !isGrid else { return nil }
        if isSeries {
            return channelParts.count > Self.mostChannels
                ? "there are more than \(Self.mostChannels) channels"
                : "there are more than \(Self.mostPositions) lens positions"
        }
        let names = Self.names(of: channelParts)
        let most = counts.values.max() ?? 0
        for c in channelParts.indices {
            for z in positions.indices where counts[Cell(z: z, c: c), default: 0] != most {
                let count = counts[Cell(z: z, c: c), default: 0]
                let lens = positions[z].map {
                    " at lens position \(SettingComponent.lens.words($0))"
                }
                return "\(names[c].isEmpty ? "a channel" : "`\(names[c])`")\(lens ?? "") was taken"
                    + " \(count.of("time")), others \(most.of("time"))"
            }
        }
        return nil
    }

    /// How many places there are along each axis.
    var shape: (t: Int64, z: Int, c: Int) {
        guard isGrid else { return (rowCount, 1, 1) }
        return (counts.values.max() ?? 0, positions.count, channelParts.count)
    }

    /// Gives rows their places, in the same order in which they were added.
    func placer() -> Placer { Placer(axes: self, isGrid: isGrid) }

    /// Which place a row has, one after the other.
    struct Placer {
        fileprivate var axes: FrameAxes
        fileprivate let isGrid: Bool
        private var taken: [Cell: Int64] = [:]
        private var rows: Int64 = 0

        fileprivate init(axes: FrameAxes, isGrid: Bool) {
            (self.axes, self.isGrid) = (axes, isGrid)
        }

        /// The place of the next row.
        mutating func place(of entry: LedgerEntry) -> Place {
            defer { rows += 1 }
            guard isGrid else { return Place(t: rows, z: 0, c: 0) }
            let cell = axes.cell(entry)
            defer { taken[cell, default: 0] += 1 }
            return Place(t: taken[cell] ?? 0, z: cell.z, c: cell.c)
        }
    }

    private mutating func cell(_ entry: LedgerEntry) -> Cell {
        let row = entry.row
        let kind = Kind(step: row.step, settings: row.settings, lights: entry.place.lights)
        if let known = kinds[kind] { return known }
        let (parts, position) = described(entry)
        let cell = Cell(
            z: Self.index(of: position, in: &positions),
            c: Self.index(of: parts, in: &channelParts))
        kinds[kind] = cell
        return cell
    }

    /// Where something is in a list, at whose end it is put if it is new.
    private static func index<Element: Equatable>(
        of element: Element, in list: inout [Element]
    ) -> Int {
        if let index = list.firstIndex(of: element) { return index }
        list.append(element)
        return list.count - 1
    }

    /// Label, lights and what is asked for; empty for what is not.
    private func described(_ entry: LedgerEntry) -> (parts: [String], position: Int64?) {
        let requested = run.plan.settings[Int(entry.row.settings)].requested
        let label = run.label(ofStep: entry.row.step) ?? ""
        let values = SettingComponent.all.filter { $0 != .lens }.map { component in
            requested.asked(component).map { Self.words(component, $0) } ?? ""
        }
        return ([label, run.lights(of: entry.place)] + values, requested.asked(.lens))
    }

    /// A value with its unit, and its name where the unit does not tell what it is of.
    private static func words(_ component: SettingComponent, _ value: Int64) -> String {
        switch component {
        case .exposure, .temperature: component.words(value)
        case .gain, .lens, .redGain, .blueGain: "\(component.name) \(component.words(value))"
        }
    }
}

extension FrameAxes {
    /// What channels are called: by the first part that tells all of them apart, else by all in which they differ; one
    /// alone by its label or its lights.
    ///
    /// Of a series it is one channel without a name.
    var channelNames: [String] { isGrid ? Self.names(of: channelParts) : [""] }

    private static func names(of channelParts: [[String]]) -> [String] {
        guard let first = channelParts.first else { return [""] }
        guard channelParts.count > 1 else {
            return [first.prefix(2).first { !$0.isEmpty } ?? ""]
        }
        let differing = first.indices.filter { index in
            channelParts.contains { $0[index] != first[index] }
        }
        let telling = differing.first { index in
            Set(channelParts.map { Array($0[index].utf8) }).count == channelParts.count
        }
        var taken: Set<String> = []
        return channelParts.map { parts in
            let words = (telling.map { [$0] } ?? differing).map { index in
                parts[index].isEmpty ? Self.missing[min(index, 2)] : parts[index]
            }
            let name = words.joined(separator: ", ")
            var (unique, number) = (name, 2)
            while !taken.insert(unique).inserted {
                unique = "\(name) (\(number))"
                number += 1
            }
            return unique
        }
    }

    /// What a channel is called that has no label, no light, or not the setting that others have.
    private static let missing = ["no label", "no light", "not set"]

    /// The lights of each channel; empty for none, and of a series.
    var channelLights: [String] {
        isGrid ? channelParts.map { $0[1] } : [""]
    }
}
