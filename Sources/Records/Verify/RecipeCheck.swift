internal import Notation
internal import Recipes

/// Holds the plan against the recipe: that it is what the recipe compiles to, with the parameters of the manifest.
///
/// What rig, camera and profile gave is in the plan alone; see ``PlanCompiler/differences(of:from:)``.
enum RecipeCheck {
    /// Adds what is wrong.
    static func check(_ run: RecordedRun, _ report: inout VerificationReport) {
        let recipe: Recipe
        do {
            let source = SourceFile(
                name: "recipe.yaml", bytes: try WholeFile.read(run.folder.recipe))
            recipe = try RecipeDecoder.decode(
                source,
                overrides: run.manifest.parameters.filter(\.isOverridden).map {
                    ParameterOverride(name: $0.name, value: $0.value)
                })
        } catch let list as DiagnosticList {
            let first = list.diagnostics.first?.description ?? "it can't be read"
            return report.add("recipe.yaml", "it is no recipe of this run: \(first)")
        } catch {
            // That it can't be read has been reported with its hash.
            return
        }
        if recipe.parameters != run.manifest.parameters {
            report.add("run.json", "`recipe.parameters` are not the recipe's")
        }
        if (recipe.metering == nil) != (run.manifest.metering == nil) {
            report.add("run.json", "`metering` is there exactly if the recipe meters")
        }
        for member in PlanCompiler.differences(of: run.plan, from: recipe) {
            report.add("plan.json", "`\(member)` is not what recipe.yaml compiles to")
        }
    }
}
