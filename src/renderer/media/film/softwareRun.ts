/** One run of frames for the worker, and what becomes of it. */
export interface SoftwareRun {
  width: number;
  height: number;
  fps: number;
  /** As `toLimitedRange` makes them, one after the other. */
  frames: ArrayBuffer[];
}

export interface SoftwarePackets {
  packets: { data: Uint8Array<ArrayBuffer>; isKey: boolean }[];
  description: Uint8Array<ArrayBuffer>;
  codec: string;
}
