import Foundation
import Notation
import Recipes
import Testing

struct KeyReferenceTests {
    /// The reference of a kind of file, with examples from folders of the repository.
    private static func reference(
        _ schema: FileSchema, of root: String, from folders: [String]
    ) throws -> KeyReference {
        var reference = KeyReference(schema.json, of: root)
        for folder in folders {
            for file in try ProjectFiles.yamlFiles(in: ProjectFiles.root.appending(path: folder)) {
                try reference.addExamples(of: ProjectFiles.source("\(folder)/\(file)"))
            }
        }
        return reference
    }

    private static func recipeReference() throws -> KeyReference {
        try reference(.recipe, of: "a recipe", from: ["recipes", "docs/examples"])
    }

    private static func expect(_ text: String, in document: String) throws {
        let golden = try ProjectFiles.golden(
            ProjectFiles.root.appending(path: "docs/\(document)"), recording: text)
        let isSame = text == golden.text
        #expect(isSame, "set FRAMELOCK_RECORD=1 to write the reference anew")
        let isNew = golden.isNew
        #expect(!isNew, "the reference was written anew; look at it and run again")
    }

    @Test func `the reference of the recipe's keys is the one that the schema makes`() throws {
        let text = try Self.recipeReference().markdown(
            """
            # Recipe reference

            Made by a test from the schema of recipes ([recipe-1.schema.json](../recipes/schema/recipe-1.schema.json)). Examples are lines
            of the recipes that come along and of [examples](examples), which tests check. A value may be a parameter instead:
            `$NAME`. Everything that has a unit is written with it. A key that is not required may be left out; where no default is
            named, nothing of it is set or asked for.

            """)
        try Self.expect(text, in: "recipe-reference.md")
    }

    @Test func `every key is shown by a recipe that comes along`() throws {
        #expect(try Self.recipeReference().keysWithoutExample == [])
    }

    @Test func `the reference of the rig's keys is the one that the schema makes`() throws {
        let reference = try Self.reference(
            .rig, of: "a rig", from: ["hardware/rigs"])
        #expect(reference.keysWithoutExample == [])
        let text = reference.markdown(
            """
            # Rig reference

            A rig names the cameras, lines and clocks of one machine, so that recipes need not: `--rig FILE`, or
            `/etc/framelock/rig.yaml`. Made by a test from the schema of rigs
            ([rig-1.schema.json](../recipes/schema/rig-1.schema.json)). Examples are lines of [the rigs that come
            along](../hardware/rigs), which tests check; each says in its first lines which pins of its board it means. A key that is
            not required may be left out.

            """)
        try Self.expect(text, in: "rig-reference.md")
    }
}
