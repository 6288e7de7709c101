@main struct Framelock { static func main() {} }
