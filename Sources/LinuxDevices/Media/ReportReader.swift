internal import Notation

/// Reads members of a report's JSON, and remembers the first that is missing or wrong.
struct ReportReader {
    /// Why a report can't be read.
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    private let object: JSONObject
    /// Where the object stands in the report, for example `report.media[0]`.
    private let place: String

    /// - Throws: ``Problem`` for a value that is no object, or is not there.
    init(_ value: JSONValue?, at place: String) throws(Problem) {
        guard let object = value?.objectValue else {
            throw Problem(description: "\(place) is no object")
        }
        self.object = object
        self.place = place
    }

    /// Whether there is such a member; for those that a report may leave out.
    func has(_ name: String) -> Bool { object[name] != nil }

    func text(_ name: String) throws(Problem) -> String {
        guard let text = object[name]?.stringValue else { throw missing(name, "a text") }
        return text
    }

    func number(_ name: String) throws(Problem) -> Int64 {
        guard let number = object[name]?.integerValue else { throw missing(name, "a whole number") }
        return number
    }

    /// A whole number of 32 bits without sign, as the kernel's ids and flags.
    func word(_ name: String) throws(Problem) -> UInt32 {
        guard let word = UInt32(exactly: try number(name)) else {
            throw missing(name, "a number of 32 bits")
        }
        return word
    }

    func truth(_ name: String) throws(Problem) -> Bool {
        guard let truth = object[name]?.boolValue else { throw missing(name, "true or false") }
        return truth
    }

    func object(_ name: String) throws(Problem) -> ReportReader {
        try ReportReader(object[name], at: "\(place).\(name)")
    }

    /// The objects of a list.
    func list(_ name: String) throws(Problem) -> [ReportReader] {
        guard let elements = object[name]?.arrayValue else { throw missing(name, "a list") }
        var readers: [ReportReader] = []
        for (index, element) in elements.enumerated() {
            readers.append(try ReportReader(element, at: "\(place).\(name)[\(index)]"))
        }
        return readers
    }

    /// The numbers of a list.
    func words(_ name: String) throws(Problem) -> [UInt32] {
        guard let elements = object[name]?.arrayValue else { throw missing(name, "a list") }
        var words: [UInt32] = []
        for element in elements {
            guard let word = element.integerValue.flatMap({ UInt32(exactly: $0) }) else {
                throw missing(name, "a list of numbers")
            }
            words.append(word)
        }
        return words
    }

    private func missing(_ name: String, _ wanted: String) -> Problem {
        Problem(description: "\(place).\(name) is not \(wanted)")
    }
}
