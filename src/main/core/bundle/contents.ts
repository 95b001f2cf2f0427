import { takesOf } from '../../../shared/board/board.ts';
import type { BundleContents } from '../../../shared/bundle/calls.ts';
import type { BundleJob } from '../../../shared/bundle/document.ts';
import type { BundledFiles } from '../library/index.ts';
import type { Bundle } from './readBundle.ts';
import { inTurns } from './turns.ts';

/** What a bundle holds, and how much of it is here already. */
export async function contentsOf(
  { files }: { files: Pick<BundledFiles, 'storedContent'> },
  { manifest, shots, jobs, assets, chats, media }: Bundle,
): Promise<BundleContents> {
  const here = { files: 0, bytes: 0 };
  let bytes = 0;
  for await (const [, [sha256, entry]] of inTurns(media)) {
    bytes += entry.bytes;
    if ((await files.storedContent(sha256))?.bytes !== entry.bytes) continue;
    here.files += 1;
    here.bytes += entry.bytes;
  }
  const { title, version, createdAt } = manifest;
  return {
    title,
    version,
    createdAt,
    shots: shots.length,
    takes: new Set(shots.flatMap(takesOf)).size,
    chats: chats.length,
    files: media.size,
    bytes,
    here,
    withoutFile: assets.filter(({ sha256 }) => sha256 === undefined).length,
    cost: costOf(jobs),
  };
}

export function costOf(jobs: readonly BundleJob[]): BundleContents['cost'] {
  const sum = { nano: 0, lowNano: 0, playNano: 0, unpriced: 0 };
  for (const { elsewhere } of jobs) {
    const { costNano = 0, costLowNano = costNano, play } = elsewhere;
    if (elsewhere.costNano === undefined) sum.unpriced += 1;
    else if (play) sum.playNano += costNano;
    else {
      sum.nano += costNano;
      sum.lowNano += costLowNano;
    }
  }
  return sum;
}
