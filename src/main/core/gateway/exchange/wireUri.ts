import { readFile } from 'node:fs/promises';
import type { WireMedia } from '../types.ts';

/** The address of a picture on the wire: its link, or its bytes as a `data:` address (spec 2.2). */
export async function wireUri(media: WireMedia, isByLink: boolean): Promise<string> {
  const file = 'uri' in media ? media.file : media;
  if ('uri' in media && (isByLink || !file)) return media.uri;
  return file ? `data:${file.mime};base64,${await readFile(file.path, 'base64')}` : '';
}
