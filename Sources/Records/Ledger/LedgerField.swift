internal import Devices

/// A part of a row in one column or in several: how it is written into its fields, and read from them.
///
/// Reading fills an entry part by part in the order of ``LedgerTable``, so a part may depend on those before it.
struct LedgerField: Sendable {
    /// The columns that it writes; each column belongs to one field.
    let columns: [LedgerColumn]
    let write: @Sendable (LedgerEntry, RunNames, inout LedgerFields) -> Void
    /// Throws ``LedgerFault`` in words for people, with the column's name and the text.
    let read: @Sendable (LedgerFields, RunNames, inout LedgerEntry) throws(LedgerFault) -> Void

    /// A part of several columns, or one that depends on others.
    init(
        _ columns: LedgerColumn...,
        write: @escaping @Sendable (LedgerEntry, RunNames, inout LedgerFields) -> Void,
        read:
            @escaping @Sendable (LedgerFields, RunNames, inout LedgerEntry) throws(LedgerFault)
            -> Void
    ) {
        (self.columns, self.write, self.read) = (columns, write, read)
    }

    /// A value that may be missing; then its field is empty.
    init<Value>(
        _ column: LedgerColumn, _ path: any WritableKeyPath<LedgerEntry, Value?> & Sendable,
        _ text: LedgerText<Value>
    ) {
        self.init(
            column,
            write: { entry, _, fields in
                fields.write(entry[keyPath: path], column, text)
            },
            read: { fields, _, entry throws(LedgerFault) in
                entry[keyPath: path] = try fields.read(column, text)
            })
    }

    /// What a slot's settings ask for: the plan has it, and rows repeat it.
    ///
    /// Reading leaves the entry alone: a row that repeats something else than the plan has differs from what would be
    /// written, and ``LedgerReader`` names the column.
    init(asked component: SettingComponent) {
        let column = component.columns.requested
        self.init(
            column,
            write: { entry, names, fields in
                fields[column] = names.requestedTexts[Int(entry.row.settings)][component]
            },
            // Whoever reads a row writes it again, and compares.
            read: { _, _, _ in })
    }

    /// What a frame had of a component; empty where it is unknown.
    init(applied component: SettingComponent) {
        let (column, text) = (component.columns.applied, component.text)
        self.init(
            column,
            write: { entry, _, fields in
                fields.write(entry.row.applied[component], column, text)
            },
            read: { fields, _, entry throws(LedgerFault) in
                entry.row.applied[component] = try fields.read(column, text)
            })
    }
}
