import { useEffect, useState } from 'react';
import { create } from 'zustand';
import type { Export } from '../../../../shared/film/filmExport.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, navigate, newerOf, useCall, useEvent } from '../../../app/index.ts';
import type { FindingRow } from './exportView.ts';
import type { FilmWay } from './plan.ts';

/** The page has its own address, so that a reload and Back keep it. */
export const EXPORT_VIEW = 'export';
export const openExport = (): void => navigate('storyboard', { view: EXPORT_VIEW });
export const closeExport = (): void => navigate('storyboard');

/** Facts that the page remembers about an export it started, since the export itself does not have them. */
export interface StartedHere {
  way: FilmWay;
  hasDocuments: boolean;
  decided: readonly FindingRow[];
  /** Target loudness in LUFS. */
  loudness: number | undefined;
}

interface ExportsView {
  /** The export in the panel, by project: `null` shows the choices; without an entry a running one is shown. */
  shown: Readonly<Record<string, string | null>>;
  started: Readonly<Record<string, StartedHere>>;
}

export const useExportsView = create<ExportsView>()(() => ({ shown: {}, started: {} }));

export const showExport = (projectId: string, id: string | null): void =>
  useExportsView.setState(({ shown }) => ({ shown: { ...shown, [projectId]: id } }));

/** A film's exports, newest first, updated by events, and the one in the panel. */
export function useExports(projectId: string): { exports: readonly Export[]; shown: Export | undefined } {
  const read = useCall('exports.list', { projectId, limit: MOST });
  const [heard, setHeard] = useState<ReadonlyMap<string, Export | null>>(new Map());
  useEvent('export.changed', ({ export: one }) => {
    if (one.projectId === projectId) setHeard((before) => new Map(before).set(one.id, newer(before.get(one.id), one)));
  });
  useEvent('export.removed', ({ exportId }) => setHeard((before) => new Map(before).set(exportId, null)));
  const known = new Map((read.data?.exports ?? []).map((one) => [one.id, one]));
  for (const [id, one] of heard) {
    if (one === null) known.delete(id);
    else known.set(id, newer(known.get(id), one));
  }
  const exports = [...known.values()].toSorted((a, b) => b.createdAt - a.createdAt);
  const chosen = useExportsView((view) => view.shown[projectId]);
  const running = exports.find(({ state }) => state === 'running');
  const shown = chosen === undefined ? running : exports.find(({ id }) => id === chosen);
  useEnding(shown);
  return { exports, shown };
}

const MOST = 50;

/** How an export ended. */
export const ENDED = { done: t`Exported`, failed: t`Not exported`, canceled: t`Canceled` } as const;

const newer = (old: Export | null | undefined, one: Export): Export => (old ? newerOf(old, one) : one);

/** Announces the outcome once to screen readers. */
function useEnding(shown: Export | undefined): void {
  const [before, setBefore] = useState<Pick<Export, 'id' | 'state'>>();
  useEffect(() => {
    if (!shown || (before?.id === shown.id && before.state === shown.state)) return;
    setBefore({ id: shown.id, state: shown.state });
    if (before?.id !== shown.id) return;
    if (shown.state !== 'running')
      announce(
        [ENDED[shown.state], shown.error].filter(Boolean).join('. '),
        shown.state === 'failed' ? 'assertive' : 'polite',
      );
  }, [shown, before]);
}
