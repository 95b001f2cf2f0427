/**
 * The version field at the start of a file's user metadata (ISO/IEC 14496-12, 8.11.1). In the form without a version, the size of the first
 * box.
 */
export function versionOfMeta(bytes: Buffer): number {
  const meta = bytes.indexOf('meta', bytes.indexOf('udta'), 'latin1');
  return bytes.readUInt32BE(meta + 4);
}
