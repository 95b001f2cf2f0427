import { useEffect, useState } from 'react';
import { create } from 'zustand';
import type { Asset } from '../../../shared/library/asset.ts';
import { type MaskDocument, type MaskProof, maskWorker, type OutsideChange } from '../../canvas/index.ts';
import { mediaUrl } from '../../client/index.ts';
import { revokeLater } from '../../media/revokeLater.ts';
import type { EditFacts } from './model/gallery.ts';

export interface Proven {
  /** The exact document that was proved. */
  document: MaskDocument;
  file: Blob;
  url: string;
  proof: MaskProof;
}

const REST_MS = 120;

/** Proves the mask when painting pauses. `isStale` while the proof belongs to an older mask. */
export function useProof(document: MaskDocument, asset: Asset | undefined) {
  const [proven, setProven] = useState<Proven>();
  const [error, setError] = useState<string>();
  const [width, height] = [asset?.width, asset?.height];
  useEffect(() => {
    if (!width || !height) return;
    let isCurrent = true;
    const show = ({ file, proof }: Pick<Proven, 'file' | 'proof'>) => {
      if (!isCurrent) return;
      setProven({ document, file, proof, url: URL.createObjectURL(file) });
      setError(undefined);
    };
    const timer = setTimeout(() => {
      const proving = maskWorker.run({ kind: 'prove', document, source: { width, height } });
      proving.then(show).catch((cause) => isCurrent && setError(messageOf(cause)));
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [document, width, height]);
  useEffect(() => () => revokeLater(proven?.url ?? ''), [proven?.url]);
  return { proven, error, isStale: proven?.document !== document };
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

interface Compared {
  change?: OutsideChange | undefined;
  error?: string;
}

/** Comparisons by the files of an edit, shared by all components; undefined while one is being computed. */
const useCompared = create<Readonly<Record<string, Compared | undefined>>>()(() => ({}));

/** Changes of an edit where its mask was black; undefined while they are computed, or without an edit. */
export function useOutsideChange(edit: EditFacts | undefined, after: Asset | undefined): Compared | undefined {
  const key = edit && after?.state === 'local' ? [edit.baseId, edit.maskId, after.id].join(' ') : '';
  useEffect(() => {
    const [base, mask, result] = key.split(' ');
    const all = useCompared.getState();
    // A failed comparison is tried again.
    if (!base || !mask || !result || (key in all && !all[key]?.error)) return;
    const show = (compared: Compared | undefined) => useCompared.setState({ [key]: compared });
    show(undefined);
    compare(base, mask, result).then(
      (change) => show({ change }),
      (cause) => show({ error: messageOf(cause) }),
    );
  }, [key]);
  return useCompared((all) => all[key]);
}

async function compare(baseId: string, maskId: string, afterId: string): Promise<OutsideChange | undefined> {
  const [before, mask, after] = (await Promise.all([baseId, maskId, afterId].map(bytesOf))) as [Blob, Blob, Blob];
  return (await maskWorker.run({ kind: 'compare', before, after, mask })).change;
}

/** The edited picture with the original restored where the mask was black, blended over an edge of `feather` pixels. */
export async function restored(edit: EditFacts, after: Asset, feather: number): Promise<Blob | undefined> {
  const [before, mask, result] = (await Promise.all([edit.baseId, edit.maskId, after.id].map(bytesOf))) as [
    Blob,
    Blob,
    Blob,
  ];
  return (await maskWorker.run({ kind: 'restore', before, after: result, mask, feather })).file;
}

export async function bytesOf(assetId: string): Promise<Blob> {
  const response = await fetch(mediaUrl(assetId));
  if (!response.ok) throw new Error('A picture of this edit is not on this disk any more.');
  return response.blob();
}
