import { create } from 'zustand';
import type { BatchFormat } from '../../../../shared/batch.ts';
import { type JobKind, kindsWhere, makesFiles } from '../../../../shared/kinds/index.ts';
import { navigate, parseRoute } from '../../../app/index.ts';
import { formatOf, leftOutAfter, textOfBatchFile } from './batchText.ts';

/** The text that is being imported; it stays while the page is left, so that leaving loses nothing. */
export interface BatchDraft {
  text: string;
  /** Written into the empty page, and not read yet. */
  typed: string;
  format: BatchFormat;
  /** The file it was read from. */
  name: string | undefined;
  error: string | undefined;
  /** Lines and members that are not enqueued: `11`, `6.2`. */
  leaveOut: ReadonlySet<string>;
  /** So many jobs of it were scheduled for a night; undefined once it is another text. */
  scheduled: number | undefined;
  /** What a line makes that names no kind. */
  kind: JobKind;
  /** Where its jobs go that name no project; undefined until the user chooses: then the open one. */
  projectId: string | undefined;
}

const usualKind = (): JobKind => kindsWhere(makesFiles)[0] as JobKind;

const NO_DRAFT = {
  text: '',
  typed: '',
  format: 'lines',
  name: undefined,
  error: undefined,
  leaveOut: new Set<string>(),
  scheduled: undefined,
  projectId: undefined,
} satisfies Omit<BatchDraft, 'kind'>;

export const useBatchDraft = create<BatchDraft>()(() => ({ ...NO_DRAFT, kind: usualKind() }));

/** Another text: nothing of the one before is left. */
export const startBatch = (text: string, name?: string): void =>
  useBatchDraft.setState({ ...NO_DRAFT, text, name, format: formatOf(text) });

/** The same text with something mended in it; what was left out stays so, but for the members of a line whose words are new. */
export const mendBatch = (text: string, lineOfNewWords?: number): void =>
  useBatchDraft.setState(({ text: before, format, leaveOut: out }) => {
    const kept = new Set([...out].filter((key) => !key.startsWith(`${lineOfNewWords}.`)));
    return { text, error: undefined, scheduled: undefined, leaveOut: leftOutAfter(before, text, format, kept) };
  });

export async function readBatchFile(file: File): Promise<void> {
  const read = await textOfBatchFile(file);
  if (read.ok) startBatch(read.data, file.name);
  else useBatchDraft.setState({ error: read.error.message });
}

export function leaveOut(keys: readonly string[], isOut: boolean): void {
  useBatchDraft.setState(({ leaveOut: old }) => {
    const next = new Set(old);
    for (const key of keys) {
      if (isOut) next.add(key);
      else next.delete(key);
    }
    return { leaveOut: next, scheduled: undefined };
  });
}

export const clearBatch = (): void => useBatchDraft.setState({ ...NO_DRAFT });

/** The import has a view of its own on the Queue page. */
export const openImport = (): void => navigate('queue', { import: 'jobs' });

export function isImportShown(): boolean {
  const { page, part, params } = parseRoute(window.location.hash);
  return page === 'queue' && part === undefined && params.has('import');
}
