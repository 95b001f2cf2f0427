import { BUNDLE_ENTRIES } from '../../../shared/bundle/document.ts';
import type { ChatFile } from '../../../shared/chat/chatFile.ts';
import { givePieces, piecesOf } from '../workers/index.ts';
import { type Bundle, chatEntriesOf, readBundle } from './readBundle.ts';
import { BundleError, openZip, type ZipEntry, type ZipFile } from './readZip.ts';

/** The thread that reads a bundle: all untrusted text is unpacked, parsed and validated here. */

export interface BundleQuestion {
  file: string;
}

/** A part of a bundle; the first one has manifest and film. Messages of a chat follow it in parts of their own. */
export type BundlePart =
  | Pick<Bundle, 'manifest' | 'film'>
  | Pick<Bundle, 'shots'>
  | Pick<Bundle, 'jobs'>
  | Pick<Bundle, 'assets'>
  | { chat: ChatFile }
  | Pick<ChatFile, 'messages'>
  | { media: [string, ZipEntry][] };

/** `entry`: the name of the zip entry that holds the part. */
export type BundlePiece = { entry: string; part: BundlePart } | { faults: BundleError['faults'] };

async function* read({ file }: BundleQuestion): AsyncGenerator<BundlePiece> {
  try {
    const zip = await openZip(file);
    try {
      yield* wholeBundle(zip);
    } finally {
      await zip.close();
    }
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    yield { faults: error.faults };
  }
}

async function* wholeBundle(zip: ZipFile): AsyncGenerator<BundlePiece> {
  const { manifest, film, chats, ...lists } = await readBundle(zip);
  yield { entry: BUNDLE_ENTRIES.film, part: { manifest, film } };
  for (const shots of piecesOf(lists.shots)) yield { entry: BUNDLE_ENTRIES.shots, part: { shots } };
  for (const jobs of piecesOf(lists.jobs)) yield { entry: BUNDLE_ENTRIES.jobs, part: { jobs } };
  for (const assets of piecesOf(lists.assets)) yield { entry: BUNDLE_ENTRIES.assets, part: { assets } };
  const names = chatEntriesOf(zip).map(({ name }) => name);
  for (const [at, chat] of chats.entries()) {
    const entry = names[at] ?? '';
    yield { entry, part: { chat: { ...chat, messages: [] } } };
    for (const messages of piecesOf(chat.messages)) yield { entry, part: { messages } };
  }
  for (const media of piecesOf(lists.media)) yield { entry: '', part: { media } };
}

givePieces(read);
