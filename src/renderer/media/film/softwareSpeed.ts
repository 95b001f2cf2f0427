import { canEncodeVideo, QUALITY_HIGH } from 'mediabunny';
import SoftwareH264Worker from './softwareH264Worker.ts?worker&inline';
import { encodedBy, type SoftwareRun } from './softwareRun.ts';

/** Small test frames: encoding time grows with the number of pixels. */
const PICTURE = { width: 640, height: 360 };
const FRAMES = 12;

/** Our encoder's speed in pixels per second, on noise; undefined if the browser has its own H.264 encoder. */
export async function softwareSpeed({ softwareOnly = false } = {}): Promise<number | undefined> {
  if (!softwareOnly && (await canEncodeVideo('avc', { ...PICTURE, quality: QUALITY_HIGH }))) return undefined;
  const worker = new SoftwareH264Worker();
  try {
    // The first run also sets the encoder up.
    await encodedBy(worker, runOf(1));
    const startedAt = performance.now();
    await encodedBy(worker, runOf(FRAMES));
    const seconds = Math.max(1, performance.now() - startedAt) / 1_000;
    return Math.round((PICTURE.width * PICTURE.height * FRAMES) / seconds);
  } finally {
    worker.terminate();
  }
}

const runOf = (count: number): SoftwareRun => ({
  ...PICTURE,
  fps: 24,
  frames: Array.from({ length: count }, (_, frame) => noise(frame)),
});

/** Noise that never repeats, the most work for the encoder. */
function noise(frame: number): ArrayBuffer {
  const pixels = new Uint32Array((PICTURE.width * PICTURE.height * 3) / 8);
  let state = frame + 1;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[at] = state;
  }
  return pixels.buffer;
}
