/** One run of frames for the worker, and its result. */
export interface SoftwareRun {
  width: number;
  height: number;
  fps: number;
  /** Frames from `toLimitedRange`, one after the other. */
  frames: ArrayBuffer[];
}

export interface SoftwarePackets {
  packets: { data: Uint8Array<ArrayBuffer>; isKey: boolean }[];
  description: Uint8Array<ArrayBuffer>;
  codec: string;
}

/** Encodes a run in the worker. */
export const encodedBy = (worker: Worker, run: SoftwareRun): Promise<SoftwarePackets> =>
  new Promise((done, failed) => {
    worker.onmessage = ({ data }: MessageEvent<SoftwarePackets | { error: string }>) =>
      'error' in data ? failed(new Error(data.error)) : done(data);
    worker.onerror = ({ message }) => failed(new Error(`The software encoder ended: ${message}`));
    worker.postMessage(run, run.frames);
  });
