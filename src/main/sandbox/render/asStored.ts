/** A picture without its Exif rotation, which Skia would apply. A client that leaves the rotation to the gateway is then seen here. */
export function asStored(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  const name = copy.toString('latin1', 0, 4) === 'RIFF' ? 'EXIF' : 'Exif\0\0';
  for (let at = copy.indexOf(name, 0, 'latin1'); at >= 0; at = copy.indexOf(name, at + 1, 'latin1')) copy[at] = 0;
  return copy;
}
