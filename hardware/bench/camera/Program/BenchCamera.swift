@main struct BenchCamera { static func main() {} }
