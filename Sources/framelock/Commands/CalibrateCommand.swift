internal import ArgumentParser

/// `framelock calibrate`: figures of a camera's profile, measured.
struct CalibrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measures what a camera's profile has to say, and writes it there.",
        subcommands: [
            LatencyCommand.self, TimingCommand.self, LensCommand.self, BalanceCommand.self,
            StorageCommand.self,
        ])
}
