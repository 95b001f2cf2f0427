import HME from 'h264-mp4-encoder';

export const FRAMES = 48;
export const greyOf = (frame: number): number => 16 + frame * 4;

/** A clip in which each frame is one step lighter. It has no sync-sample table, so a seek easily misses. */
export async function steppedClip(): Promise<Uint8Array> {
  const encoder = await HME.createH264MP4Encoder();
  Object.assign(encoder, { width: 640, height: 368, frameRate: 24, quantizationParameter: 12, groupOfPictures: 12 });
  encoder.initialize();
  for (let frame = 0; frame < FRAMES; frame++) {
    const rgba = new Uint32Array(640 * 368).fill(0xff000000 + greyOf(frame) * 0x10101);
    encoder.addFrameRgba(new Uint8Array(rgba.buffer));
  }
  encoder.finalize();
  const bytes = encoder.FS.readFile(encoder.outputFilename);
  encoder.delete();
  return bytes;
}
