import Devices
import Notation
import Recipes
import Timebase

/// Feeds bytes to every decoder of framelock's files; `Tests/Fuzz/run` builds and starts it.
///
/// Must hold for any input: no trap, bounded time and memory; whatever is refused has a reason, every reason lies
/// inside the file and can be shown; whatever is accepted is within its limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let source = SourceFile(name: "fuzz.yaml", bytes: bytes)
    do throws(DiagnosticList) {
        check(try RecipeDecoder.decode(source))
    } catch {
        check(error, in: source)
    }
    // Most inputs grow from recipes; reading those as something else too would only cost time.
    guard count % 16 == 0 || bytes.split(separator: 0x0A).contains(where: isOtherHeader) else {
        return 0
    }
    do throws(DiagnosticList) {
        let rig = try RigDecoder.decode(source)
        precondition(rig.lines.allSatisfy { !$0.name.isEmpty && !$0.chip.isEmpty })
    } catch {
        check(error, in: source)
    }
    do throws(DiagnosticList) {
        let profile = try CameraProfileDecoder.decode(source)
        // The models' own arithmetic must not trap on figures that a profile may have.
        if let exposure = profile.exposure { precondition(exposure.range.lowerBound >= .zero) }
        if let gain = profile.gain { precondition(gain.codes.minimum <= gain.codes.maximum) }
    } catch {
        check(error, in: source)
    }
    return 0
}

private func isOtherHeader(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "framelock_".utf8)
}

private func check(_ recipe: Recipe) {
    precondition(!recipe.steps.isEmpty && recipe.name.value.utf8.count <= 64)
    precondition(shots(recipe.steps) <= 1_000_000)
}

private func shots(_ steps: [Step]) -> Int {
    steps.reduce(0) { sum, step in
        switch step.kind {
        case .bracket(let bracket): sum + Int(bracket.count)
        case .sweep(let all, let steps): sum + all.count + shots(steps)
        case .repeat(_, _, let steps): sum + shots(steps)
        case .capture, .wait, .waitForEdge, .pulse, .pulseWithExposure: sum
        }
    }
}

private func check(_ list: DiagnosticList, in source: SourceFile) {
    precondition(!list.isEmpty, "a refusal has a reason")
    for diagnostic in list.diagnostics {
        precondition(diagnostic.range.start <= diagnostic.range.end)
        // A stray byte is no character: it is shown after the last one, one column wide.
        precondition(diagnostic.range.start <= source.endPosition)
    }
    let text = DiagnosticRenderer(sources: [source]).render(list)
    precondition(!text.isEmpty && text.utf8.count < 200_000)
    precondition(!list.jsonValue.text().isEmpty)
}
