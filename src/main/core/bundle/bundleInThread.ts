import { ThreadEnded, threadPieces } from '../programs/index.ts';
import type { BundlePart, BundlePiece, BundleQuestion } from './bundleProgram.ts';
import type { Bundle } from './readBundle.ts';
import { BundleError, broken, type ZipEntry } from './zipFile.ts';

const PROGRAM = { from: import.meta.url, source: './bundleProgram.ts', bundled: 'bundle.js' };

type Parts = Omit<Bundle, 'media'> & { media: Map<string, ZipEntry> };

/** All but the bytes of the media. `secretIn` answers the path of the first text that holds one of the user's keys. */
export async function bundleInThread(file: string, secretIn: (value: unknown) => string | undefined): Promise<Bundle> {
  let bundle: Parts | undefined;
  try {
    for await (const piece of threadPieces<BundlePiece>(PROGRAM, { file } satisfies BundleQuestion)) {
      if ('faults' in piece) throw new BundleError(...piece.faults);
      if (secretIn(piece.part) !== undefined) throw broken(piece.entry, 'holds one of your API keys.');
      bundle = withPart(bundle, piece.part);
    }
  } catch (error) {
    throw error instanceof ThreadEnded ? broken('', 'Reading it takes more memory or time than a bundle may.') : error;
  }
  if (!bundle) throw new Error('a bundle was read without its film');
  return bundle;
}

function withPart(bundle: Parts | undefined, part: BundlePart): Parts | undefined {
  if ('film' in part) return { ...part, shots: [], jobs: [], assets: [], chats: [], media: new Map() };
  if ('shots' in part) bundle?.shots.push(...part.shots);
  else if ('jobs' in part) bundle?.jobs.push(...part.jobs);
  else if ('assets' in part) bundle?.assets.push(...part.assets);
  else if ('chat' in part) bundle?.chats.push(part.chat);
  else if ('messages' in part) bundle?.chats.at(-1)?.messages.push(...part.messages);
  else for (const [sha256, entry] of part.media) bundle?.media.set(sha256, entry);
  return bundle;
}
