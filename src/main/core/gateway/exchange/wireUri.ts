import { readFile } from 'node:fs/promises';
import type { WireFile, WireMedia } from '../types.ts';

/** The address of a picture on the wire: its link, or its bytes as a `data:` address (spec 2.2). Throws as {@link wireBase64}. */
export async function wireUri(media: WireMedia, isByLink: boolean): Promise<string> {
  const file = 'uri' in media ? media.file : media;
  if ('uri' in media && (isByLink || !file)) return media.uri;
  return file ? `data:${file.mime};base64,${await wireBase64(file)}` : '';
}

/**
 * A picture goes upright and without the tag that would turn it, which services read differently. Throws if the file cannot be read, or if
 * another program has changed it: what is paid for is what was ordered.
 */
export async function wireBase64({ path, sha256, upright }: Omit<WireFile, 'mime'>): Promise<string> {
  const bytes = await readFile(path);
  if (sha256 !== undefined) {
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    if (digest !== sha256) throw new Error('The file is not what it was.');
  }
  const turned = EXIF_NAMES.some((name) => bytes.includes(name)) ? await upright?.() : undefined;
  return turned ?? bytes.toString('base64');
}

/** Of a JPEG, a PNG and a WebP: a picture that has none of them has no orientation. */
const EXIF_NAMES = ['Exif', 'eXIf', 'EXIF'];
