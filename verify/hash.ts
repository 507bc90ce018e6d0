/** SHA-256, handed in by whoever runs the verifier: Node has one of its own, a browser's answers too late for a tree. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array
