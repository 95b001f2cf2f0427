/** How a picture is read as a mask: white where its alpha or its luminance reaches the threshold, 1 to 255. */
export interface MaskReading {
  from: 'alpha' | 'luminance';
  threshold: number;
  invert: boolean;
}

/** One byte a pixel, 0 or 255, from RGBA. Transparent pixels count as dark (luminance: Rec. 709). */
export function readAsMask(rgba: Uint8ClampedArray, { from, threshold, invert }: MaskReading): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(rgba.length / 4);
  const [yes, no] = invert ? [0, 255] : [255, 0];
  for (let index = 0, at = 0; index < data.length; index++, at += 4) {
    const alpha = rgba[at + 3] ?? 0;
    const value = from === 'alpha' ? alpha : (luminance(rgba, at) * alpha) / 255;
    data[index] = Math.round(value) >= threshold ? yes : no;
  }
  return data;
}

const luminance = (rgba: Uint8ClampedArray, at: number): number =>
  0.2126 * (rgba[at] ?? 0) + 0.7152 * (rgba[at + 1] ?? 0) + 0.0722 * (rgba[at + 2] ?? 0);
