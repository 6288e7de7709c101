internal import Glibc

/// The message when a device file may not be opened: who may, and the command that changes it.
///
/// Asked after EACCES or EPERM of a video node, sub-device, media device or GPIO chip.
enum MissingRight {
    /// The message for a device file that this user may not open.
    ///
    /// - Parameters:
    ///   - path: the device file.
    ///   - group: the group that such devices have on Debian, used if the file's own can't be read.
    /// - Returns: a sentence that names the file's real group, since distributions differ; one that belongs to root
    ///   alone gets the advice to install the udev rules.
    static func message(path: String, group: String) -> String {
        let owner = owningGroup(of: path) ?? group
        let user = currentUser() ?? "$USER"
        if owner == "root" {
            return "no right to use \(path): it belongs to root alone; install framelock's udev "
                + "rules (deploy/install), which give it to the group \(group), "
                + "then: sudo usermod -aG \(group) \(user), and log in again"
        }
        return "no right to use \(path): it belongs to the group \(owner), and \(user) is not in "
            + "it; run: sudo usermod -aG \(owner) \(user), and log in again"
    }

    /// The name of the file's group, its number where the group database does not have it; nil if the file can't be
    /// looked at.
    private static func owningGroup(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var storage = [CChar](repeating: 0, count: 4096)
        guard getgrgid_r(status.st_gid, &entry, &storage, storage.count, &found) == 0, found != nil,
            let name = entry.gr_name
        else { return String(status.st_gid) }
        return String(cString: name)
    }

    /// The effective user's name; nil where the user database does not have it.
    private static func currentUser() -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var storage = [CChar](repeating: 0, count: 4096)
        guard getpwuid_r(geteuid(), &entry, &storage, storage.count, &found) == 0, found != nil,
            let name = entry.pw_name
        else { return nil }
        return String(cString: name)
    }
}
