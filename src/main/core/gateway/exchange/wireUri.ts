import { readFile } from 'node:fs/promises';
import type { WireFile, WireMedia } from '../types.ts';

/** The address of a picture on the wire: its link, or its bytes as a `data:` address (spec 2.2). Throws as {@link wireBase64}. */
export async function wireUri(media: WireMedia, isByLink: boolean): Promise<string> {
  const file = 'uri' in media ? media.file : media;
  if ('uri' in media && (isByLink || !file)) return media.uri;
  return file ? `data:${file.mime};base64,${await wireBase64(file)}` : '';
}

/** Throws if the file cannot be read, or if another program has changed it: what is paid for is what was ordered. */
export async function wireBase64({ path, sha256 }: Pick<WireFile, 'path' | 'sha256'>): Promise<string> {
  const bytes = await readFile(path);
  if (sha256 !== undefined) {
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    if (digest !== sha256) throw new Error('The file is not what it was.');
  }
  return bytes.toString('base64');
}
