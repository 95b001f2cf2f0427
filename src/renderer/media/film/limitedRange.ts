/** The colour space that a film is written in and labelled with, which players assume for such films. */
export const FILM_COLORS = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;

/**
 * RGBA with even sides as planes of 8-bit 4:2:0 in limited-range BT.709 (ITU-R BT.709-6, 3). Not left to browsers' encoders: some write the
 * full range, which many players show with clipped shadows and highlights.
 */
export function toLimitedRange(
  rgba: Uint8ClampedArray,
  { width, height }: { width: number; height: number },
): Uint8Array<ArrayBuffer> {
  const size = width * height;
  const yuv = new Uint8Array(size * 1.5);
  for (let pixel = 0, at = 0; pixel < size; pixel += 1, at += 4) {
    yuv[pixel] = 16.5 + 0.18259 * (rgba[at] ?? 0) + 0.61423 * (rgba[at + 1] ?? 0) + 0.06201 * (rgba[at + 2] ?? 0);
  }
  const [blues, reds] = [size, size * 1.25];
  for (let y = 0, place = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2, place += 1) {
      const at = (y * width + x) * 4;
      const [red, green, blue] = [
        sumOfFour(rgba, at, width),
        sumOfFour(rgba, at + 1, width),
        sumOfFour(rgba, at + 2, width),
      ];
      yuv[blues + place] = 128.5 + (-0.10064 * red - 0.33857 * green + 0.43922 * blue) / 4;
      yuv[reds + place] = 128.5 + (0.43922 * red - 0.39894 * green - 0.04027 * blue) / 4;
    }
  }
  return yuv;
}

/** The sum of a channel over a pixel, the next, and the two below. */
const sumOfFour = (rgba: Uint8ClampedArray, at: number, width: number): number =>
  (rgba[at] ?? 0) + (rgba[at + 4] ?? 0) + (rgba[at + width * 4] ?? 0) + (rgba[at + width * 4 + 4] ?? 0);
