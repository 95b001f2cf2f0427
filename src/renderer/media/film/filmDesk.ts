/** Writes bytes at a position of the film's file; rejects once the film is canceled. */
export type WritePiece = (at: number, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;

/** The inputs and the output of a film. Every call rejects once the film is canceled. */
export interface FilmDesk {
  bytes(assetId: string): Promise<Blob>;
  write: WritePiece;
  /** From 0 to 100. */
  progress(percent: number): Promise<void>;
}
