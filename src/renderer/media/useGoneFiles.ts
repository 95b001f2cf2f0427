import { useEffect, useMemo } from 'react';
import { type FilmFacts, pictureOf } from '../../shared/film/film.ts';
import type { LookUpMedia, MediaRef } from '../../shared/library/mediaRef.ts';
import { useCall } from '../app/index.ts';

/**
 * Those of these pictures whose files are missing. Checked again when the window gets the focus: files disappear while one is elsewhere.
 */
export function useGoneFiles(refs: readonly MediaRef[], known: FilmFacts): ReadonlySet<string> {
  const ids = useMemo(
    () => [...new Set(refs.flatMap((ref) => pictureOf(ref, known)?.id ?? []))].sort().slice(0, MOST),
    [refs, known],
  );
  const { data, reload } = useCall('library.gone', ids.length === 0 ? null : { ids });
  useEffect(() => {
    window.addEventListener('focus', reload);
    return () => window.removeEventListener('focus', reload);
  }, [reload]);
  const isNone = ids.length === 0;
  return useMemo(() => new Set(isNone ? [] : data?.ids), [isNone, data]);
}

const MOST = 1_000;

/** Media facts, with missing files marked. */
export const withGone =
  (lookUp: LookUpMedia, known: FilmFacts, gone: ReadonlySet<string>): LookUpMedia =>
  (ref) => {
    const id = pictureOf(ref, known)?.id;
    return id !== undefined && gone.has(id) ? { ...lookUp(ref), isGone: true } : lookUp(ref);
  };
