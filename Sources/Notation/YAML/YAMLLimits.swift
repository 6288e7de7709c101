/// What a YAML file may cost.
///
/// The defaults leave room for recipes a hundred times longer than any that people write, and keep a
/// hostile file from costing more than a moment.
public struct YAMLLimits: Sendable, Hashable {
    /// Bytes of the whole file.
    public var maximumBytes: Int
    /// Sequences and mappings inside each other.
    public var maximumDepth: Int
    /// Nodes in the file: scalars (keys among them), sequences and mappings.
    public var maximumNodes: Int
    /// UTF-8 bytes of one scalar.
    public var maximumScalarBytes: Int

    /// Limits; the depth must lie in 1…500, since reading recurses and libyaml stops at 1000.
    public init(
        maximumBytes: Int = 1 << 20, maximumDepth: Int = 64, maximumNodes: Int = 100_000,
        maximumScalarBytes: Int = 64 << 10
    ) {
        precondition((1...500).contains(maximumDepth), "depth limit outside of 1…500")
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumNodes = maximumNodes
        self.maximumScalarBytes = maximumScalarBytes
    }

    /// 1 MiB, 64 levels, 100,000 nodes, 64 KiB a scalar.
    public static let `default` = YAMLLimits()
}
