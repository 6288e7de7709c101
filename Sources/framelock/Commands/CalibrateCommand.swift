internal import ArgumentParser

/// `framelock calibrate`: figures of a camera's profile, measured.
///
/// Each subcommand prints what it found; all but `storage` write it into a profile of the caller's with `--write`.
struct CalibrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract:
            "Measures what a camera's profile has to state, and what a disk takes; --write writes the profile.",
        subcommands: [
            LatencyCommand.self, TimingCommand.self, LensCommand.self, BalanceCommand.self,
            StorageCommand.self,
        ])
}
