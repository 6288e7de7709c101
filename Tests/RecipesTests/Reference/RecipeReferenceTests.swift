import Foundation
import Notation
import Recipes
import Testing

struct RecipeReferenceTests {
    private static func reference() throws -> RecipeReference {
        var reference = RecipeReference(FileSchema.recipe.json)
        for folder in ["recipes", "docs/examples"] {
            for file in try ProjectFiles.yamlFiles(in: ProjectFiles.root.appending(path: folder)) {
                try reference.addExamples(of: ProjectFiles.source("\(folder)/\(file)"))
            }
        }
        return reference
    }

    @Test func `the reference of the recipe's keys is the one that the schema makes`() throws {
        let text = try Self.reference().markdown
        let url = ProjectFiles.root.appending(path: "docs/recipe-reference.md")
        let golden = try ProjectFiles.golden(url, recording: text)
        let isSame = text == golden.text
        #expect(isSame, "set FRAMELOCK_RECORD=1 to write the reference anew")
        let isNew = golden.isNew
        #expect(!isNew, "the reference was written anew; look at it and run again")
    }

    @Test func `every key is shown by a recipe that comes along`() throws {
        #expect(try Self.reference().keysWithoutExample == [])
    }
}
