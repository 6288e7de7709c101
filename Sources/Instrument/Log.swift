package import Logging

/// Where the instrument logs: under the label `framelock`, by whatever handler the program has set up.
package enum Log {
    package static let framelock = Logger(label: "framelock")
}
