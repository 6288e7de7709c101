public import Imaging

/// How bright frames are compared with each other, from the cells that are summed while they are recorded.
///
/// The level of a frame is the median over its cells of how much brighter each is than it uses to be: something that
/// moves through the picture changes some cells, a setting changes all of them by the same factor. Cells that are
/// saturated, or hardly above black, are left out. Of what cells use to be an average over some frames is kept, for
/// each scene.
public struct FrameLevels: Sendable {
    /// A frame's level.
    public struct Level: Hashable, Sendable {
        /// ln of the brightness above black, 0 at full scale; nil where too few cells can be measured.
        public var value: Double?
        /// Variance of it, by how far the cells differ and by the rounding of dark ones.
        public var variance = 1e-6
        /// Variance of it beside other levels, by how well black is known: the same for all frames as dark as this one.
        public var bias = 0.0
        /// Whether nothing is known yet of how bright the cells of the scene are beside each other: other levels of it
        /// are no measure for this one.
        public var isProvisional = false
        /// Whether it is missing because most cells are saturated.
        public var isSaturated = false
        /// Where it is missing because the frame is too dark: it is no more than this.
        public var atMost: Double?
    }

    /// Cells that a level needs.
    private static let fewestCells = 8
    /// A cell of which more samples than one in this many are saturated is left out.
    private static let saturatedShare: UInt32 = 200
    /// How well the black level of a profile is known, in codes: it drifts with temperature.
    private static let blackError = 0.3
    /// A mean is known to this part of a code, however many samples it has: codes are whole numbers.
    private static let meanError = 0.02
    /// The same where neighbours are alike: the standard deviation of rounding.
    private static let roundingError = 0.29
    /// Mean square of the difference between neighbours, in codes, from which on their noise hides that they are whole:
    /// noise of half a code.
    private static let hidingNoise = 0.5
    /// Noise that is cut off at code 0 makes the mean of black brighter by this part of its standard deviation:
    /// 1/√(2π).
    private static let cutOff = 0.4
    /// A mean that lies fewer standard deviations of its noise above code 0 than this shows nothing.
    ///
    /// More than 22 % of it is noise that was cut off, which grows with the gain and not with the exposure; and many
    /// frames of the same settings are no better than one.
    private static let leastHeight = 1.0
    /// A level that is known no better than to a factor of e shows nothing.
    private static let mostVariance = 1.0
    /// Above this part of full scale, what varies from sample to sample is the scene's and no noise about black.
    private static let brightestNoise = 1.0 / 64
    /// Cells darker than this, in codes above black, are too dark.
    private static let darkest = 0.1
    /// How far above its bound a dark frame may be, ln 1.5: cells are dark below twice what their means may be off by.
    private static let boundError = 0.405
    /// How well the mean of a frame that is saturated in part goes along with others, which no law ties to it: 5 %.
    private static let saturatedVariance = 0.05 * 0.05
    /// ln of how much brighter than the middle the cells of an even scene are at most: a factor of 1.35.
    private static let evenness = 0.3
    /// No cell is so much brighter or darker than full scale, as a logarithm.
    private static let farthest = 16.0
    /// A frame that has no more of its samples below full scale than this says nothing.
    private static let fewestUnsaturated = 0.02
    /// What cells use to be changes so much, as a part of the variance of what is measured: then they follow the newest
    /// frame by a fifth.
    fileprivate static let renewal = 0.05
    /// Variance of cells beside each other in a scene that moves a little.
    private static let restlessness = 1e-4

    private let isLinear: Bool
    /// The code of black, 0 if it is not known, and that of full scale.
    private let (black, white): (Double, Double)
    /// What a scene's cells use to be.
    fileprivate struct Usual {
        /// ln of each over the frame's level; not a number where it was never seen.
        var cells: [Double]
        /// How well that is known.
        var variance = 0.0
    }

    private var usual: [Int: Usual] = [:]

    /// - Parameters:
    ///   - black: the code of black; 0 if it is not known.
    ///   - white: the code of full scale, above black.
    ///   - isLinear: whether levels have to keep to the law that brightness is proportional to light; saturated frames
    ///     don't.
    public init(black: Int64, white: Int64, isLinear: Bool) {
        self.isLinear = isLinear
        (self.black, self.white) = (Double(black), Double(white))
    }

    /// What a frame's cells are good for.
    private struct Cells {
        /// ln of the mean of each, 0 at full scale; minus infinity where it is too dark, not a number where saturated.
        var logs: [Double]
        var usable = 0
        var dark = 0
        /// Which are saturated.
        var saturated: [Int] = []
        /// Samples of the smallest.
        var fewest: UInt32 = .max
        /// What a cell's mean may be off by, in codes; and what it is off by anew in each frame.
        let error: Double
        let rounding: Double
        /// Standard deviation of samples beside each other, in codes.
        let noise: Double

        /// The mean below which a cell is too dark, in codes.
        var darkest: Double { max(FrameLevels.darkest, 2 * error) }
    }

    /// Measures the next frame.
    ///
    /// - Parameter scene: frames of the same number look at the same scene under the same light.
    public mutating func level(of frame: FrameStatistics, scene: Int) -> Level {
        let cells = cells(of: frame)
        let isTooBright =
            cells.usable < Self.fewestCells || isTooBrightToBegin(cells, scene)
        var level =
            isTooBright && cells.saturated.count >= Self.fewestCells
            ? saturatedLevel(of: frame, usual[scene]) : level(cells, scene)
        level.isProvisional = usual[scene] == nil
        return level
    }

    /// Whether most cells of a scene that was not measured yet are at full scale: without a law that holds for them the
    /// others are not what the frames behind it are compared with.
    private func isTooBrightToBegin(_ cells: Cells, _ scene: Int) -> Bool {
        !isLinear && usual[scene] == nil && cells.usable + cells.dark < cells.saturated.count
    }

    private func cells(of frame: FrameStatistics) -> Cells {
        let count = frame.cells.count
        // The difference of two has twice the variance of one.
        let square = Double(frame.differenceSquares) / Double(max(1, frame.differenceCount))
        let rounding = rounding(square)
        let error = max(rounding, isLinear ? Self.blackError : 0)
        // Edges pass for noise and hide nothing: of 8 bits, whose noise is often below a code, that is not believed.
        var cells = Cells(
            logs: [Double](repeating: .nan, count: count), error: error,
            rounding: white < 256 ? error : rounding,
            noise: (square / 2).squareRoot())
        let darkest = cells.darkest
        let measured = frame.cells.span
        for index in 0..<count {
            let cell = measured[index]
            guard cell.count > 0 else { continue }
            cells.fewest = min(cells.fewest, cell.count)
            if cell.saturatedCount > cell.count / Self.saturatedShare {
                cells.saturated.append(index)
                continue
            }
            let mean = Double(cell.sum) / Double(cell.count) - black
            let isDark = mean < darkest
            cells.logs[index] = isDark ? -.infinity : naturalLogarithm(mean / (white - black))
            if isDark { cells.dark += 1 } else { cells.usable += 1 }
        }
        return cells
    }

    /// What the mean of a cell is off by since codes are whole numbers.
    ///
    /// - Parameter square: mean square of the difference between neighbours.
    private func rounding(_ square: Double) -> Double {
        let share = max(0, 1 - square / Self.hidingNoise)
        return Self.meanError + (Self.roundingError - Self.meanError) * share
    }

    /// The level of a frame whose cells are saturated in part: how bright the rest is still says something, if not by a
    /// law.
    ///
    /// In an even scene the mean of the frame stands for it. Where cells are known to be unlike each other, the level
    /// is the one at which these, cut off at full scale, have the frame's mean: a bright part of the scene that is full
    /// is no reason to take the whole for darker than it is. The fewer of them are below full scale there, the less it
    /// says.
    private func saturatedLevel(of frame: FrameStatistics, _ usual: Usual?) -> Level {
        let count = frame.count
        let unsaturated = Double(count - frame.saturatedCount) / Double(max(1, count))
        guard !isLinear, unsaturated > Self.fewestUnsaturated else {
            return Level(isSaturated: true)
        }
        let mean = (Double(frame.sum) / Double(count) - black) / (white - black)
        let known = usual?.cells.filter(\.isFinite) ?? []
        guard isUneven(known) else {
            return Level(value: naturalLogarithm(mean), variance: Self.saturatedVariance)
        }
        // Cells that were never below full scale are full now too.
        let full = Double((usual?.cells.count ?? 0) - known.count)
        func brightness(_ level: Double) -> (mean: Double, below: Double) {
            let below = known.map { $0 + level }.filter { $0 < 0 }.reduce(0) {
                $0 + exponential($1)
            }
            let cut = Double(known.count { $0 + level >= 0 })
            let cells = full + Double(known.count)
            return ((below + cut + full) / cells, below / cells)
        }
        var (low, high) = (-Self.farthest, Self.farthest)
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if brightness(middle).mean < mean { low = middle } else { high = middle }
        }
        // A change of the level changes the mean by what is below full scale alone.
        let share = brightness(low).below / mean
        let variance = Self.saturatedVariance / max(1e-9, share * share)
        guard variance < Self.mostVariance else { return Level(isSaturated: true) }
        return Level(value: low, variance: variance)
    }

    /// Whether one cell in eight is brighter or darker than the middle one by more than a scene that is evenly lit has
    /// it.
    private func isUneven(_ usual: [Double]) -> Bool {
        guard usual.count >= Self.fewestCells else { return false }
        let middle = usual.sorted()[usual.count / 2]
        return usual.count { abs($0 - middle) > Self.evenness } * 8 > usual.count
    }

    /// The median of how much brighter each cell is than it uses to be; too dark ones are below all others.
    private mutating func level(_ cells: Cells, _ scene: Int) -> Level {
        let before = usual[scene]
        var usual = before ?? Usual(cells: [Double](repeating: .nan, count: cells.logs.count))
        let known = cells.logs.indices.filter {
            !cells.logs[$0].isNaN && !usual.cells[$0].isNaN
        }
        // By the law of a linear camera what is known of some cells holds for all; else for most of them it has to be.
        let enough = isLinear ? 0 : (cells.usable + cells.dark) / 2
        let isNew = known.count < max(Self.fewestCells, enough)
        // Other cells than so far: how bright they are beside those is not known, and no law holds between the two.
        if isNew, before != nil, isLinear {
            return Level(isSaturated: cells.saturated.count > cells.usable)
        }
        var ratios =
            isNew
            ? cells.logs.filter { !$0.isNaN } : known.map { cells.logs[$0] - usual.cells[$0] }
        guard ratios.count >= Self.fewestCells, !isOneSided(cells, usual) else { return Level() }
        ratios.sort()
        let value = ratios[ratios.count / 2]
        guard value.isFinite else {
            return Level(
                atMost: naturalLogarithm(cells.darkest / (white - black)) + Self.boundError)
        }
        let measured = isNew ? cells.logs : known.map { cells.logs[$0] }
        guard let (rounding, bias) = rounding(measured, cells), rounding + bias < Self.mostVariance
        else { return Level(atMost: value + Self.boundError) }
        let variance = usual.variance
        let apart = isNew ? 0 : disagreement(cells, usual)
        usual.follow(cells.logs, value, variance: rounding + Self.restlessness, isNew: isNew)
        self.usual[scene] = usual
        guard !isNew else { return Level(value: value, variance: 1e-6 + rounding, bias: bias) }
        let spread = Self.spread(ratios)
        return Level(
            value: value,
            variance: 1e-6 + rounding + variance + 1.6 * spread * spread / Double(ratios.count)
                + apart,
            bias: bias)
    }

    /// Whether many cells are saturated that use to be no brighter than those that are not: then these are what became
    /// darker, and not what the frame is like.
    private func isOneSided(_ cells: Cells, _ usual: Usual) -> Bool {
        let others = cells.logs.indices.filter {
            !cells.logs[$0].isNaN && usual.cells[$0].isFinite
        }.map { usual.cells[$0] }.sorted()
        guard !others.isEmpty else { return false }
        let middle = others[others.count / 2]
        let brighter = cells.saturated.count { usual.cells[$0] <= middle }
        return brighter * 4 > cells.usable + cells.dark
    }

    /// Standard deviation of ratios in rising order: half of them lie within 0.67 of it, and four in five within 1.28.
    ///
    /// Where they are of two kinds, as if a part of the picture were lit otherwise, the quartiles alone would not tell.
    private static func spread(_ ratios: [Double]) -> Double {
        func half(_ share: Int) -> Double {
            let (lower, upper) = (
                ratios[ratios.count / share], ratios[ratios.count * (share - 1) / share]
            )
            return lower.isFinite ? (upper - lower) / 2 : upper - ratios[ratios.count / 2]
        }
        return max(half(4) / 0.67, half(10) / 1.28 / 2)
    }

    /// Variance of the median because cells that use to be alike do not change alike, as a setting would change them:
    /// where something moves through a fifth of them and more, the median is anywhere between the two kinds.
    ///
    /// Cells that use to be darker or brighter may well change otherwise: by an unknown black level, or a tone curve.
    private func disagreement(_ cells: Cells, _ usual: Usual) -> Double {
        let known = cells.logs.indices.filter {
            cells.logs[$0].isFinite && usual.cells[$0].isFinite
        }.sorted { usual.cells[$0] < usual.cells[$1] }
        guard known.count >= Self.fewestCells else { return 0 }
        let ratios = known.map { cells.logs[$0] - usual.cells[$0] }
        let steps = zip(ratios, ratios.dropFirst()).map { abs($0 - $1) }.sorted()
        let mean = (white - black) * exponential(cells.logs[known[known.count / 2]])
        // Three in four steps between cells of noise alone are less than 1.6 standard deviations.
        let noise = 1.35 * cells.noise / (mean * Double(cells.fewest).squareRoot())
        let apart = steps[steps.count * 3 / 4] / 2
        return max(0, apart * apart - noise * noise - cells.error * cells.error / (mean * mean))
    }

    /// Variance of a level because codes are whole numbers and noise is cut off at code 0, which is the same in all
    /// cells; and that of black, which is the same in all frames.
    ///
    /// - Parameter logs: of the cells that are compared; of them at least one is bright enough.
    /// - Returns: nil where too much of the mean may be such noise.
    private func rounding(
        _ logs: [Double], _ cells: Cells
    ) -> (own: Double, bias: Double)? {
        let usable = logs.filter(\.isFinite).sorted()
        let mean = (white - black) * exponential(usable[usable.count / 2])
        let height = (mean + black) / max(cells.noise, 1e-9)
        let isDark = mean < (white - black) * Self.brightestNoise
        guard !isDark || height >= Self.leastHeight else { return nil }
        // Falls faster than the tail of a normal distribution beyond the first standard deviation.
        let cut =
            isDark ? Self.cutOff * cells.noise * exponential(-min(height * height, 600)) : 0
        let own = (cells.rounding + cut) / mean
        let black = isLinear ? Self.blackError / mean : 0
        return (own * own, black * black)
    }
}

extension FrameLevels.Usual {
    /// Takes note of a frame's cells.
    ///
    /// - Parameters:
    ///   - value: the level of the frame.
    ///   - variance: how well each cell is known.
    ///   - isNew: whether nothing is known of the scene yet.
    fileprivate mutating func follow(
        _ logs: [Double], _ value: Double, variance own: Double, isNew: Bool
    ) {
        let before = variance + FrameLevels.renewal * own
        let gain = before / (before + own)
        for index in logs.indices where logs[index].isFinite {
            let cell = logs[index] - value
            cells[index] += gain * (cell - cells[index])
            if isNew || cells[index].isNaN { cells[index] = cell }
        }
        variance = isNew ? own : before * (1 - gain)
    }
}
