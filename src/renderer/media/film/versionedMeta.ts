/** Bytes of a version and flags (ISO/IEC 14496-12, 4.2). */
const VERSION_BYTES = 4;

/**
 * The index of an MP4 with a version in its metadata, which ExifTool and MediaInfo do not read without one (8.11.1), and with the free room
 * behind it shorter by as much. As it came where there is no metadata, or no such room.
 */
export function withVersionedMeta(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(0);
  const user = boxIn(view, { from: 8, to: size }, 'udta');
  const meta =
    user === undefined ? undefined : boxIn(view, { from: user + 8, to: user + view.getUint32(user) }, 'meta');
  const room = size + 8 > view.byteLength ? 0 : view.getUint32(size);
  if (user === undefined || meta === undefined || room < 8 + VERSION_BYTES) return bytes;
  const moved = new Uint8Array(size + VERSION_BYTES + 8);
  moved.set(bytes.subarray(0, meta + 8));
  moved.set(bytes.subarray(meta + 8, size + 8), meta + 8 + VERSION_BYTES);
  const written = new DataView(moved.buffer);
  for (const at of [0, user, meta]) written.setUint32(at, view.getUint32(at) + VERSION_BYTES);
  written.setUint32(size + VERSION_BYTES, room - VERSION_BYTES);
  return moved;
}

/** Where a box of that type begins. */
function boxIn(view: DataView, { from, to }: { from: number; to: number }, type: string): number | undefined {
  for (let at = from; at + 8 <= to; at += view.getUint32(at)) {
    if (view.getUint32(at) < 8) return undefined;
    const name = String.fromCharCode(...[4, 5, 6, 7].map((byte) => view.getUint8(at + byte)));
    if (name === type) return at;
  }
  return undefined;
}
