/**
 * The version that the metadata in a file's user data begins with (ISO/IEC 14496-12, 8.11.1); in the form without one, the size of the box that
 * stands there.
 */
export function versionOfMeta(bytes: Buffer): number {
  const meta = bytes.indexOf('meta', bytes.indexOf('udta'), 'latin1');
  return bytes.readUInt32BE(meta + 4);
}
