import { FilePathSource, Input } from 'mediabunny';
import { PROVENANCE_KEY } from '../../../../shared/film/filmTask.ts';
import { COMMENT_KEY } from '../../../../shared/library/foreignPrompt.ts';
import { type FoundProvenance, jsonInXmp, provenanceInTexts } from '../../../../shared/library/provenance.ts';
import { readClipFacts } from './clipFacts.ts';
import { readXmpBox } from './mp4Boxes.ts';
import { readPngTexts } from './pngText.ts';
import { CONTAINERS } from './probe.ts';
import { readXmpPacket } from './xmpPictures.ts';

/** In characters, of one text of a clip. */
const MAX_TEXT = 256 * 1024;

/** How a file was made, according to its metadata; `null` if its format has no metadata that is read here. */
export async function readEmbeddedProvenance(file: string, mime: string): Promise<FoundProvenance | null> {
  if (mime === 'image/png') {
    const { texts, c2pa } = await readPngTexts(file);
    return provenanceInTexts(texts, c2pa);
  }
  if (mime === 'image/jpeg' || mime === 'image/webp') {
    const { xmp, comment, c2pa } = await readXmpPacket(file, mime);
    const words = comment === undefined ? [] : [{ keyword: COMMENT_KEY, text: comment }];
    return provenanceInTexts([...provenanceIn(xmp), ...words], c2pa);
  }
  if (!mime.startsWith('video/')) return null;
  const { c2pa } = await readClipFacts(file);
  const [texts, xmp] = [await textsOfClip(file), await readXmpBox(file)];
  return provenanceInTexts([...texts, ...provenanceIn(xmp)], c2pa);
}

function provenanceIn(xmp: string | undefined): { keyword: string; text: string }[] {
  const json = xmp === undefined ? undefined : jsonInXmp(xmp);
  return json === undefined ? [] : [{ keyword: PROVENANCE_KEY, text: json }];
}

async function textsOfClip(file: string): Promise<{ keyword: string; text: string }[]> {
  const input = new Input({ source: new FilePathSource(file), formats: CONTAINERS });
  try {
    const { raw = {} } = await input.getMetadataTags();
    return Object.entries(raw).flatMap(([keyword, text]) =>
      typeof text === 'string' && text.length <= MAX_TEXT ? [{ keyword, text }] : [],
    );
  } finally {
    input.dispose();
  }
}
