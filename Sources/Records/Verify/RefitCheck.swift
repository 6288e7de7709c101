internal import Notation

/// Holds a fit that was made afterwards against the record that it was made from.
enum RefitCheck {
    /// Adds what is wrong; a run without a fit has nothing wrong.
    static func check(_ folder: RunFolder, _ report: inout VerificationReport) {
        guard WholeFile.exists(folder.refit) else { return }
        let json: JSONValue
        do {
            let bytes = try WholeFile.read(folder.refit)
            guard let value = try? JSONReader.read(bytes, name: folder.refit),
                value["framelock_refit"]?.integerValue == RunRefit.format
            else { return report.add("refit.json", "this is no fit of this version of framelock") }
            json = value
        } catch {
            return report.add(unreadable: "refit.json", error)
        }
        for name in RunRefit.sources + ["refit.csv"] {
            let noted = name == "refit.csv" ? json[name] : json["made_from"]?[name]
            do {
                let digest = try FileDigest.ofFile("\(folder.path)/\(name)")
                guard noted?.stringValue != digest.description else { continue }
                report.add(
                    "refit.json", "it is not of this \(name): `framelock refit` makes it anew")
            } catch {
                report.add(unreadable: name, error)
            }
        }
    }
}
