import Glibc

/// This process, as lock files name it.
enum ProcessNumber {
    static var own: Int32 { getpid() }
}
