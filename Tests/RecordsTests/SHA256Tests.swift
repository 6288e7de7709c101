import Testing

@testable import Records

@Suite struct SHA256Tests {
    private func hex(_ bytes: [UInt8]) -> String { FileDigest(of: bytes).description }

    /// NIST, "Descriptions of SHA-256" and CAVP byte vectors.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                + "mnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ]) func `gives the standard's digests`(text: String, digest: String) {
        #expect(hex(Array(text.utf8)) == digest)
    }

    @Test func `gives the standard's digest of a million letters`() {
        #expect(
            hex(Array(repeating: UInt8(ascii: "a"), count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `does not care how the bytes are cut into pieces`() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 999] {
            var hash = SHA256()
            var rest = bytes[...]
            while !rest.isEmpty {
                rest.prefix(size).withUnsafeBytes { hash.update($0) }
                rest = rest.dropFirst(size)
            }
            #expect(hash.finalize() == SHA256.hash(bytes), "pieces of \(size)")
        }
    }

    @Test func `with and without the processor's instructions it is the same`() {
        for count in [0, 1, 63, 64, 65, 4_096, 100_003] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) }
            var hash = SHA256(isPortable: true)
            bytes.withUnsafeBytes { hash.update($0) }
            #expect(hash.finalize() == SHA256.hash(bytes), "\(count) bytes")
        }
    }
}
