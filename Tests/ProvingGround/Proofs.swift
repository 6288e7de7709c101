/// Every proof that there is.
public enum Proofs {
    /// In the order in which they are tried.
    public static let all: [any Proof.Type] = [
        BracketProof.self,
        BrightnessProof.self,
        ClockProof.self,
        ClockNumbersProof.self,
        LatencyProof.self,
        ProfileProof.self,
        RecoveryProof.self,
        RunProof.self,
        TimekeepingProof.self,
        TimingProof.self,
        TriggerProof.self,
        GapProof.self,
    ]
}
