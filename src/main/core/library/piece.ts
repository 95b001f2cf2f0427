/** A range of a file, or bytes in its place. */
export type Piece = { from: number; to: number } | Uint8Array;
