/** SHA-256, supplied by the caller: Node has a synchronous one, the browser's is too slow for a tree. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array
