import Testing

@testable import Records

struct HashingThreadTests {
    private static func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761 &+ seed) >> 13) }
    }

    /// Hashes beside a write that succeeds or fails; whether the error came out.
    private static func fails(
        _ thread: HashingThread, _ hash: inout SHA256?, _ bytes: [UInt8], write isGood: Bool
    ) -> Bool {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(1, bytes.count), alignment: 64)
        defer { memory.deallocate() }
        memory.copyBytes(from: bytes)
        do throws(StorageError) {
            try thread.update(
                &hash, with: UnsafeRawBufferPointer(rebasing: memory[..<bytes.count])
            ) { () throws(StorageError) in
                if !isGood { throw StorageError("write", path: "frames", errno: 28) }
            }
            return false
        } catch {
            return true
        }
    }

    @Test(arguments: [0, 1, 64, 4_096, 262_143, 262_144, 1_000_001])
    func `what is hashed beside other work is what is hashed alone`(count: Int) throws {
        let thread = HashingThread()
        var hash: SHA256? = SHA256()
        var whole: [UInt8] = []
        for piece in 0..<5 {
            let bytes = Self.bytes(count, piece)
            whole += bytes
            #expect(!Self.fails(thread, &hash, bytes, write: true))
        }
        #expect(try #require(hash).finalize() == SHA256.hash(whole))
    }

    @Test(arguments: [100, 400_000])
    func `there is no hash of what was not written, nor of what comes after it`(count: Int) {
        let thread = HashingThread()
        var hash: SHA256? = SHA256()
        let bytes = Self.bytes(count, 1)
        #expect(Self.fails(thread, &hash, bytes, write: false))
        #expect(hash == nil)
        #expect(!Self.fails(thread, &hash, bytes, write: true))
        #expect(hash == nil)
    }
}
