import { fail, type Result } from '../../../../shared/contract/result.ts';
import { en } from '../../../../shared/text/texts.ts';
import { bytesInAddress, type RemoteOutput } from '../../gateway/index.ts';
import { deletePartial, partialPath } from '../downloads/partialDownload.ts';
import { type ContentInUse, describeUnreadable, inspectFile, type StoredFile, storeFile } from './contentStore.ts';
import { LibraryAway, type LibraryLocation } from './location.ts';
import { writeError, writeStream } from './writeStream.ts';

/** A result ready to be recorded in the transaction that completes its job. */
export interface PreparedOutput {
  output: RemoteOutput;
  /** Set if the bytes came inside the answer and are already on disk. */
  file?: StoredFile;
  /** The thumbnail, if it was made before. */
  thumbnail?: StoredFile;
}

/** How to store a body: sound is accepted too, and with a known hash nothing else. */
interface StoreRules {
  sound: boolean;
  /** Also accepts a file that cannot be decoded here, as it came. */
  unreadable?: boolean;
  sha256?: string;
  /** Holds it until its row is written. */
  inUse: ContentInUse;
}

/** Stores a body through a partial file, which is removed after a failure. Throws if the disk, or the process that reads files, fails. */
export async function storeBody(
  location: LibraryLocation,
  name: string,
  body: AsyncIterable<Uint8Array>,
  rules: StoreRules,
): Promise<Result<StoredFile>> {
  const away = await location.look();
  if (away !== undefined) return libraryAway(away);
  const lease = location.lease(name);
  try {
    const part = await partialPath(lease.home, name);
    let stored: Result<StoredFile> | undefined;
    try {
      stored = await storePartial(lease.home, part, body, rules);
    } finally {
      if (!stored?.ok) await deletePartial(part);
    }
    const settled = stored.ok ? await location.settle(lease, stored.data) : stored;
    if (stored.ok && !settled.ok) rules.inUse.release(stored.data);
    return settled;
  } finally {
    lease.end();
  }
}

/** The answer if the library is not there. */
export const libraryAway = (fault: string): Result<never> =>
  fail('store_unavailable', en`${fault} Nothing was stored.`);

async function storePartial(
  home: string,
  part: string,
  body: AsyncIterable<Uint8Array>,
  rules: StoreRules,
): Promise<Result<StoredFile>> {
  const written = await writeStream(part, body, { from: 0 });
  if (!written.ok) return written;
  if (written.data.bytes === 0) return fail('invalid_input', en`The file is empty.`);
  if (rules.sha256 !== undefined && written.data.sha256 !== rules.sha256)
    return fail('conflict', en`The file was changed while it was read.`);
  const readable = await inspectFile(part, written.data, rules);
  const examined = readable.ok || !rules.unreadable ? readable : await describeUnreadable(part, written.data);
  if (!examined.ok) return examined;
  rules.inUse.add(examined.data);
  const stored = await storeFile(home, part, examined.data, rules.inUse);
  if (!stored.ok) rules.inUse.release(examined.data);
  return stored;
}

/**
 * A result that cannot be stored now stays in its row as it came and is tried again later: it was paid for, and exists nowhere else. Throws
 * if there is no space, or the library is not there; the caller then keeps the answer.
 */
export async function storeInlineOutput(
  { location, name, inUse }: { location: LibraryLocation; name: string; inUse: ContentInUse },
  output: RemoteOutput,
): Promise<PreparedOutput> {
  const inline = bytesInAddress(output.uri);
  if (!inline) return { output };
  const stored = await storeBody(location, name, inline.bytes, { sound: true, unreadable: true, inUse }).catch(
    writeError,
  );
  if (stored.ok) return { output: { ...output, uri: '' }, file: stored.data };
  if (stored.error.code === 'store_unavailable') throw new LibraryAway(stored.error.message);
  if (stored.error.code === 'disk_full') throw diskFull(stored.error.message);
  return { output };
}

const diskFull = (message: string): Error => Object.assign(new Error(message), { code: 'ENOSPC' });
