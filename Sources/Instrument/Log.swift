package import Logging

/// Where the instrument logs: under the label `framelock`, by whatever handler the program has set up.
package enum Log {
    /// Made at the first use: a handler that a program sets up later does not get its messages.
    package static let framelock = Logger(label: "framelock")
}
