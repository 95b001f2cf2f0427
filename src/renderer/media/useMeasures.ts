import { useEffect } from 'react';
import { create } from 'zustand';
import type { MeasuredFile } from '../../shared/film/measures.ts';
import { useEvent, useStudio } from '../app/index.ts';
import { call } from '../client/index.ts';

/** Measurements by content hash, kept as long as the window. */
const useFiles = create<{ files: ReadonlyMap<string, MeasuredFile> }>()(() => ({ files: new Map() }));

/** The most hashes per call. */
const AT_ONCE = 8;

/** Measurements of files by hash; missing ones are measured now and appear later. */
export function useMeasures(sha256s: readonly string[]): ReadonlyMap<string, MeasuredFile> {
  const key = [...new Set(sha256s.filter((sha256) => sha256 !== ''))].sort().join(' ');
  const connection = useStudio((state) => state.connection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what could not be read is read when the studio is there again.
  useEffect(() => {
    const { files } = useFiles.getState();
    void read(key.split(' ').filter((sha256) => sha256 !== '' && files.get(sha256)?.state !== 'measured'));
  }, [key, connection]);
  useEvent('media.measured', ({ sha256 }) => {
    if (key.includes(sha256)) void read([sha256]);
  });
  return useFiles((state) => state.files);
}

async function read(sha256s: readonly string[]): Promise<void> {
  for (let from = 0; from < sha256s.length; from += AT_ONCE) {
    const answer = await call('media.measures', { sha256s: sha256s.slice(from, from + AT_ONCE) });
    if (!answer.ok) return;
    useFiles.setState(({ files }) => ({ files: new Map([...files, ...Object.entries(answer.data.files)]) }));
  }
}
