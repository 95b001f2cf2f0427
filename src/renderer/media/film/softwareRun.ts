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

/** Has the worker encode a run. */
export const encodedBy = (worker: Worker, run: SoftwareRun): Promise<SoftwarePackets> =>
  new Promise((done, failed) => {
    worker.onmessage = ({ data }: MessageEvent<SoftwarePackets | { error: string }>) =>
      'error' in data ? failed(new Error(data.error)) : done(data);
    worker.onerror = ({ message }) => failed(new Error(`The software encoder ended: ${message}`));
    worker.postMessage(run, run.frames);
  });
