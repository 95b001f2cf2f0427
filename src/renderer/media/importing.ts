import { create } from 'zustand';
import type { Asset } from '../../shared/library/asset.ts';
import { counted, t } from '../../shared/text/texts.ts';
import { announce, cacheAssets } from '../app/index.ts';
import { uploadMedia } from '../client/index.ts';

interface Importing {
  left: number;
  /** One sentence per refused file. */
  refused: string[];
}

export const useImporting = create<Importing>()(() => ({ left: 0, refused: [] }));

/** Uploads files one by one; a refused file is named and does not stop the others. */
export async function importFiles(files: readonly File[], onTaken: (asset: Asset) => void): Promise<void> {
  if (files.length === 0) return;
  useImporting.setState(({ left }) => ({ left: left + files.length, refused: [] }));
  let taken = 0;
  for (const file of files) {
    const answer = await uploadMedia(file, file.name, { role: 'source' });
    if (answer.ok) {
      taken += 1;
      cacheAssets([answer.data]);
      onTaken(answer.data);
    }
    useImporting.setState(({ left, refused }) => ({
      left: left - 1,
      refused: answer.ok ? refused : [...refused, `${file.name}: ${answer.error.message}`],
    }));
  }
  announce(t`${counted(taken, 'file')} imported`);
}
