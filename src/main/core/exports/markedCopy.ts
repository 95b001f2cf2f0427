import { PROVENANCE_KEY } from '../../../shared/film/filmTask.ts';
import { PARAMETERS_KEY, type Provenance, parametersOf, xmpOf } from '../../../shared/library/provenance.ts';
import { MAX_JPEG_PACKET_BYTES, withMp4Marks, withTexts, withXmpPacket, XMP_KEYWORD } from '../library/index.ts';
import type { SourceFile } from './exportSink.ts';

/**
 * The bytes of a copy that says what it is; undefined where the file stays as it came: nothing is known of it, its form has no place for
 * that, or it is not built as it should be.
 */
export async function markedCopy(
  { path, mime }: SourceFile,
  provenance: Provenance | undefined,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const mark = provenance && MARKS[mime];
  return mark ? mark(path, provenance).catch(() => undefined) : undefined;
}

type Mark = (path: string, provenance: Provenance) => Promise<AsyncIterable<Uint8Array>>;

const MARKS: Readonly<Record<string, Mark>> = {
  'image/png': (path, provenance) =>
    withTexts(path, [
      { keyword: PARAMETERS_KEY, text: parametersOf(provenance) },
      { keyword: PROVENANCE_KEY, text: JSON.stringify(provenance) },
      { keyword: XMP_KEYWORD, text: xmpOf(provenance.sourceType) },
    ]),
  'image/jpeg': (path, provenance) => withXmpPacket(path, 'image/jpeg', packetOf(provenance)),
  'image/webp': (path, provenance) => withXmpPacket(path, 'image/webp', packetOf(provenance)),
  'video/mp4': (path, provenance) =>
    withMp4Marks(path, xmpOf(provenance.sourceType), { keyword: PROVENANCE_KEY, text: clipText(provenance) }),
};

/** In characters: a longer text of a clip is not read again. */
const MAX_CLIP_TEXT = 200_000;

/** As much of the provenance as is read again from a clip. */
function clipText(provenance: Provenance): string {
  const { request: _, ...short } = provenance;
  const whole = JSON.stringify(provenance);
  return whole.length <= MAX_CLIP_TEXT ? whole : JSON.stringify(short);
}

/** The packet of a picture: as much of the provenance as a segment of a JPEG has room for. */
function packetOf(provenance: Provenance): string {
  const { request: _, ...short } = provenance;
  const packets = [provenance, short].map((one) => xmpOf(one.sourceType, JSON.stringify(one)));
  const fits = packets.find((packet) => Buffer.byteLength(packet) <= MAX_JPEG_PACKET_BYTES);
  return fits ?? xmpOf(provenance.sourceType);
}
