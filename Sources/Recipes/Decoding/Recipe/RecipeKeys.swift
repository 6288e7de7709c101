import Notation

/// The keys of a recipe: the root from which schema, reference and reader are made.
enum RecipeKeys {
    static let header = FileHeader.recipe.key
    static let name = Key(
        "name", Form<String>.recipeName.located, required: true,
        "The recipe's name; run folders are named after it.")
    static let summary = Key("description", Form<String>.prose, "What the recipe is for.")
    static let metadata = Key(
        "metadata", MetadataKeys.form,
        "What is found beside the pictures: sample, operator, objective, pixel size, notes.")
    /// Read by ``ParameterReader`` before everything else; here it is only part of the shape.
    static let parameters = Key(
        "parameters", .node(ParameterReader.shape),
        "Values that `--set NAME=VALUE` can change; `$NAME` stands for one of them.")
    static let camera = Key("camera", CameraKeys.form, required: true, "Which camera.")
    static let lock = Key("lock", LockKeys.form, "Settings that hold for the whole run.")
    /// Read by ``DeclaredLines``, which keeps what can be read.
    static let lines = Key(
        "lines", .node(DeclaredLines.shape),
        "Digital lines that the steps use: definitions, or names that the rig must have.")
    static let clocks = Key(
        "clocks", ClockKeys.needs,
        "PTP hardware clocks that are recorded beside the host's own: definitions, or names that the rig must have."
    )
    /// Read by ``SequenceReader``, which knows lines, depth and size.
    static let sequence = Key(
        "sequence", .node(StepKeys.stepList), required: true, "What is done, in order.")
    static let output = Key("output", OutputKeys.form, "How the run is recorded.")
    /// A triggered frame is a hole either way, since its edge is gone, and so is one that the disk refuses.
    ///
    /// `retake` gives up after 16 losses of a slot, of which frames that are lost in a row are one.
    static let onLost = Key(
        "on_lost", Form<LostFramePolicy>.word,
        "What a slot is whose frame is lost in camera, driver, host or for want of a buffer: `hole`, or `retake` (it"
            + " waits for the next frame that can be its own; a triggered frame can't be taken again and is a hole"
            + " all the same); `hole` if left out.")
    static let require = Key("require", RequireKeys.form, "Limits of the verdict.")

    static let shape = MappingShape(
        "a recipe", "An acquisition for framelock.",
        keys: [
            header.shape, name.shape, summary.shape, metadata.shape, parameters.shape, camera.shape,
            lock.shape,
            lines.shape, clocks.shape, sequence.shape, output.shape, onLost.shape,
            require.shape,
        ])
}
