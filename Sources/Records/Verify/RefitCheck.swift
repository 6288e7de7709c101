internal import Notation

/// Holds a fit that was made afterwards against the record that it was made from.
///
/// A fit is no part of the record and not in `checksums`; one that is not of this record is a problem all the same.
enum RefitCheck {
    /// Adds what is wrong; a run without a fit has nothing wrong.
    static func check(_ run: RecordedRun, _ report: inout VerificationReport) {
        let folder = run.folder
        guard WholeFile.exists(folder.refit) else {
            if WholeFile.exists(folder.refitTable) {
                report.add(
                    "refit.csv", "there is no refit.json with it: `framelock refit` makes both")
            }
            return
        }
        let before = report.problemCount
        let (refit, noted): (RefitFile, JSONValue)
        do {
            let bytes = try WholeFile.read(folder.refit)
            guard let json = try? JSONReader.read(bytes, name: folder.refit),
                let found = try? JSONForm<RefitFile>.refit.read(json)
            else { return report.add("refit.json", "this is no fit of this version of framelock") }
            (refit, noted) = (found, json)
        } catch {
            return report.add(unreadable: "refit.json", error)
        }
        for (name, noted) in [
            ("events.jsonl", refit.events), ("ledger.csv", refit.ledger),
            ("refit.csv", refit.table),
        ] {
            do {
                if try FileDigest.ofFile("\(folder.path)/\(name)") == noted { continue }
                report.add(
                    "refit.json", "it is not of this \(name): `framelock refit` makes it again")
            } catch {
                report.add(unreadable: name, error)
            }
        }
        if report.problemCount == before { compare(noted, run, &report) }
    }

    /// Fits once more: the same record gives the same fit.
    private static func compare(
        _ noted: JSONValue, _ run: RecordedRun, _ report: inout VerificationReport
    ) {
        guard let refit = try? RunRefit(run) else {
            // What can't be read has been reported.
            return
        }
        if noted != refit.json {
            report.add(
                "refit.json",
                "it is not what this record gives: `framelock refit` makes it again")
        }
    }
}
