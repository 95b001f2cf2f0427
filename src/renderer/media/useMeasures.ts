import { useCallback, useEffect, useState } from 'react';
import type { MeasuredFile } from '../../shared/measures.ts';
import { useEvent } from '../app/index.ts';
import { call } from '../client/index.ts';

/** The studio answers for at most so many files at once. */
const AT_ONCE = 8;

/** Bytes with the same hash never measure differently, so what is measured stays known while the window lives. */
const known = new Map<string, MeasuredFile>();

/** What is measured of files, by content hash; what was never measured is measured from now on. */
export function useMeasures(sha256s: readonly string[]): ReadonlyMap<string, MeasuredFile> {
  const key = [...new Set(sha256s)].toSorted().join('\n');
  const [shown, setShown] = useState<ReadonlyMap<string, MeasuredFile>>(known);
  const read = useCallback(async (hashes: readonly string[]) => {
    for (let at = 0; at < hashes.length; at += AT_ONCE) {
      const answer = await call('media.measures', { sha256s: hashes.slice(at, at + AT_ONCE) });
      if (!answer.ok) return;
      for (const [hash, file] of Object.entries(answer.data.files)) known.set(hash, file);
      setShown(new Map(known));
    }
  }, []);
  useEffect(() => {
    void read(key.split('\n').filter((hash) => hash !== '' && known.get(hash)?.state !== 'measured'));
  }, [read, key]);
  useEvent('media.measured', ({ sha256 }) => {
    if (key.includes(sha256)) void read([sha256]);
  });
  return shown;
}
