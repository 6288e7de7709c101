import Devices
import Engine
import Foundation
import Notation
import Recipes
import Records
import Simulation
import Testing
import Timebase

/// A recipe on the simulated camera, run to its end, and its record as anybody would read it.
struct BracketRun {
    /// Rows of the ledger by the names of their columns.
    let rows: [[String: String]]
    /// Events in order.
    let events: [[String: Any]]
    let judgement: Judgement
    let plan: Plan
    let camera: SimulatedCamera

    /// - Parameters:
    ///   - sequence: the steps, each line indented by two.
    ///   - lines: the recipe's lines.
    ///   - profile: what is known of the camera.
    ///   - options: of the simulation.
    ///   - truth: is told what really happens.
    init(
        _ sequence: String, lock: String = "{exposure: {duration: 8 ms, gain: 2.0x}}",
        lines: String? = nil, profile: CameraProfile = .simulated,
        options: SimulationOptions = SimulationOptions(hasNoise: false),
        truth: ((SimulatedTruth) -> Void)? = nil
    ) throws {
        plan = try Self.plan(sequence, lock: lock, lines: lines, profile: profile)
        let world = SimulatedWorld(options, truth: truth)
        camera = world.simulatedCamera
        let prepared = try PreparedRun(plan, in: world)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("framelock-bracket-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let record = try RunRecord(
            in: RunFolder.create(at: folder),
            RunDescription(
                version: "0.0.0", recipe: Array("framelock: 1\n".utf8), parameters: [], plan: plan,
                camera: world.camera.identity, accepted: prepared.accepted, epoch: prepared.epoch,
                realtime: world.realtime(), host: [:]), isDurable: false)
        judgement = try Runner(prepared, record: record, progress: RunProgress()).run()
        let lines = try String(contentsOfFile: folder + "/ledger.csv", encoding: .utf8)
            .split(separator: "\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
        rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
        events = try String(contentsOfFile: folder + "/events.jsonl", encoding: .utf8)
            .split(separator: "\n").map {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
            }
        let report = try RunVerifier.verify(folder, scope: .engine)
        try #require(report.problems.isEmpty, "verify: \(report.problems)")
    }

    /// Compiles a recipe for the simulated camera.
    static func plan(
        _ sequence: String, lock: String = "{exposure: {duration: 8 ms, gain: 2.0x}}",
        lines: String? = nil, profile: CameraProfile = .simulated
    ) throws -> Plan {
        let recipe = try RecipeDecoder.decode(
            SourceFile(
                name: "recipe.yaml",
                text: """
                    framelock: 1
                    name: bracket
                    camera:
                      use: simulated
                      format: {pixels: GREY, size: 320x240, rate: 60 fps}
                    lock: \(lock)
                    \(lines.map { "lines: \($0)" } ?? "")
                    sequence:
                    \(sequence)
                    """))
        let choice = try CameraChoice(recipe.camera, rig: nil, in: "recipe.yaml")
        return try PlanCompiler.compile(
            recipe, camera: choice, profile: profile, rig: nil
        ).plan
    }

    /// What is said of a recipe that can't be run.
    static func complaint(_ sequence: String) -> String {
        do {
            _ = try plan(sequence)
            return ""
        } catch let list as DiagnosticList {
            return list.diagnostics.map(\.message).joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    /// A column of all rows.
    func column(_ name: String) -> [String] { rows.map { $0[name] ?? "" } }

    /// The device's numbers of all rows.
    var sequences: [Int] { column("device_sequence").map { Int($0) ?? -1 } }

    /// The exposures that the frames had, in microseconds.
    var exposures: [Int] { column("applied_exposure_ns").map { (Int($0) ?? 0) / 1_000 } }

    /// Events of a name.
    func events(_ name: String) -> [[String: Any]] {
        events.filter { $0["event"] as? String == name }
    }
}
