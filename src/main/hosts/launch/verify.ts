import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { verifyPath } from '../../core/hashList/index.ts';
import type { StandardStreams } from '../common/standardStreams.ts';

const USAGE =
  'verify FILE|FOLDER: checks a job record by its digest, or an exported folder by its hash list (ASC MHL).\n';
const STATES = {
  whole: 'whole',
  changed: 'changed',
  missing: 'missing',
  unlisted: 'not listed',
};

/**
 * `npm run verify -- FILE|FOLDER`, or `dailies verify` of an installed program; needs no data folder and no network. Returns the exit code:
 * 0 if all is whole, 1 if not, 2 if there is nothing to verify.
 */
export async function verify(
  [place, ...more]: readonly string[],
  { stdout, stderr }: Pick<StandardStreams, 'stdout' | 'stderr'> = process,
): Promise<number> {
  const end = (code: number, text: string): number => {
    (code === 0 ? stdout : stderr).write(text);
    return code;
  };
  if (place === undefined || more.length > 0) return end(2, USAGE);
  const verdict = await verifyPath(path.resolve(place), hashHere);
  if (!verdict.ok) return end(2, `${verdict.error.message.replace('path:', `${place}:`)}\n`);
  const { files = [], faults, message, whole } = verdict.data;
  const lines = [
    ...files.map(({ name, state }) => `${STATES[state].padEnd(11)} ${printable(name)}`),
    ...faults.map((fault) => `${printable(fault.where)}: ${printable(fault.message)}`),
    printable(message),
  ];
  return end(whole ? 0 : 1, `${lines.join('\n')}\n`);
}

async function hashHere(file: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** A foreign name must not control the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '�');
