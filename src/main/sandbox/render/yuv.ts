/**
 * RGBA to planar 4:2:0 in BT.709, limited range, which players assume for unlabelled H.264 from 720 lines on. The encoder's own conversion
 * is BT.601, which would shift every colour. Chroma is the mean of four pixels.
 */
export function toYuv(rgba: Uint8Array, width: number, height: number, yuv: Uint8Array): void {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  const half = width >> 1;
  const uPlane = width * height;
  const vPlane = uPlane + (uPlane >> 2);
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x;
      const first = pixels[at] ?? 0;
      const second = pixels[at + 1] ?? 0;
      const third = pixels[at + width] ?? 0;
      const fourth = pixels[at + width + 1] ?? 0;
      yuv[at] = luma(first);
      yuv[at + 1] = luma(second);
      yuv[at + width] = luma(third);
      yuv[at + width + 1] = luma(fourth);
      const red = (first & 255) + (second & 255) + (third & 255) + (fourth & 255);
      const green = ((first >> 8) & 255) + ((second >> 8) & 255) + ((third >> 8) & 255) + ((fourth >> 8) & 255);
      const blue = ((first >> 16) & 255) + ((second >> 16) & 255) + ((third >> 16) & 255) + ((fourth >> 16) & 255);
      const chroma = (y >> 1) * half + (x >> 1);
      yuv[uPlane + chroma] = (-6596 * red - 22189 * green + 28785 * blue + 33685504) >> 18;
      yuv[vPlane + chroma] = (28785 * red - 26145 * green - 2640 * blue + 33685504) >> 18;
    }
  }
}

/** Fixed point with 16 bits of fraction; the constant is 16.5. */
function luma(pixel: number): number {
  return (11966 * (pixel & 255) + 40254 * ((pixel >> 8) & 255) + 4064 * ((pixel >> 16) & 255) + 1081344) >> 16;
}
