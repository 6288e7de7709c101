/// Every proof that there is.
public enum Proofs {
    /// In the order in which they are tried.
    public static let all: [any Proof.Type] = [
        BracketProof.self,
        ClockProof.self,
        LatencyProof.self,
        RunProof.self,
        TimekeepingProof.self,
        TimingProof.self,
        TriggerProof.self,
        WitnessProof.self,
    ]
}
