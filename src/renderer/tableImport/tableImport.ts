import type { ClipboardEvent } from 'react';
import { create } from 'zustand';
import { dropHandlers } from '../media/givenFiles.ts';
import { textOfFile } from '../media/textOfFile.ts';
import { formatOf, type ImportFormat, type Source, skippedAfter } from './importText.ts';

/** A text that is being imported. It stays while its page is left. */
export interface ImportDraft extends Source {
  /** Typed into the empty page, not read yet. */
  typed: string;
  /** Of the file it was read from. */
  name: string | undefined;
  error: string | undefined;
  /** Rows and choices that are not imported: `11`, `6.2`. */
  skipped: ReadonlySet<string>;
  /** What undo brings back, the latest last. */
  past: readonly (Source & Pick<ImportDraft, 'skipped'>)[];
}

export interface ImportOptions {
  /** What the field for its file is called. */
  fileLabel: string;
  accept: string;
  columns: readonly string[];
  /** The last one is that of a text that is none of the others. */
  formats: readonly ImportFormat[];
  mostCharacters: number;
  /** What was chosen for the text before holds no more. */
  onOther?: () => void;
  /** A text was given, or a file that could not be read. */
  onGiven?: (hasText: boolean) => void;
}

export type TableImport = ReturnType<typeof tableImport>;

const NONE: ImportDraft = {
  ...{ text: '', typed: '', format: 'lines', name: undefined, error: undefined },
  ...{ skipped: new Set<string>(), past: [] },
};
const MOST_STEPS = 20;

/** The draft of one import, and what can be done with it. */
export function tableImport(options: ImportOptions) {
  const useDraft = create<ImportDraft>()(() => NONE);
  const { columns, formats, mostCharacters } = options;
  const reset = (draft: Partial<ImportDraft> = {}): void => {
    useDraft.setState({ ...NONE, ...draft });
    options.onOther?.();
  };
  const start = (text: string, name?: string): void => {
    reset({ text, name, format: formatOf(text, columns, formats), typed: useDraft.getState().typed });
    options.onGiven?.(true);
  };
  /** A step that undo takes back. */
  const step = (change: Partial<ImportDraft>): void =>
    useDraft.setState(({ text, format, skipped, past }) => ({
      ...change,
      error: undefined,
      past: [...past.slice(1 - MOST_STEPS), { text, format, skipped }],
    }));
  return {
    options,
    useDraft,
    start,
    readFile: async (file: File): Promise<void> => {
      const read = await textOfFile(file, mostCharacters);
      if (read.ok) return start(read.data, file.name);
      useDraft.setState({ error: read.error.message });
      options.onGiven?.(false);
    },
    /** Another text; the choices of rows with another prompt are not skipped any more. */
    change: (text: string, newPrompts: ReadonlySet<number> = new Set()): void => {
      const { text: before, format, skipped } = useDraft.getState();
      const kept = new Set(
        [...skipped].filter((key) => !key.includes('.') || !newPrompts.has(Number.parseInt(key, 10))),
      );
      step({ text, skipped: skippedAfter(before, { text, format }, kept) });
    },
    readAs: (format: ImportFormat): void => step({ format, skipped: new Set() }),
    skip: (keys: readonly string[], isOut = true): void => {
      const { skipped } = useDraft.getState();
      const asked = new Set(keys);
      const others = [...skipped].filter((key) => !asked.has(key));
      step({ skipped: new Set(isOut ? [...others, ...keys] : others) });
    },
    undo: (): void => useDraft.setState(({ past }) => ({ ...past.at(-1), past: past.slice(0, -1), error: undefined })),
    /** Back to the text itself. */
    edit: (): void => reset({ typed: useDraft.getState().text }),
    clear: (): void => reset(),
  };
}

const isTyping = (target: EventTarget): boolean => target instanceof Element && target.matches('input, textarea');

/** The handlers of a page: a file that is dropped on it or a text that is pasted is imported. */
export const importHandlers = (table: TableImport) => ({
  ...dropHandlers(({ files: [file] }) => file && void table.readFile(file)),
  onPaste: (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    if (event.defaultPrevented || isTyping(event.target) || text.trim() === '') return;
    event.preventDefault();
    table.start(text);
  },
});
