/** Writes bytes at a position of the film's file; rejects once the film is not wanted any more. */
export type WritePiece = (at: number, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;

/** What a film is made from and goes to. All of it rejects once the film is not wanted any more. */
export interface FilmDesk {
  bytes(assetId: string): Promise<Blob>;
  write: WritePiece;
  /** From 0 to 100. */
  progress(percent: number): Promise<void>;
}
