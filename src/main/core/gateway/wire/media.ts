import { readFile } from 'node:fs/promises';
import type { WireMedia } from '../types.ts';

/** The `uri` of a picture or clip on the wire: its address, or its bytes as a `data:` address (spec 2.2). */
export async function wireUri(media: WireMedia): Promise<string> {
  if ('uri' in media) return media.uri;
  return `data:${media.mime};base64,${await readFile(media.path, 'base64')}`;
}
