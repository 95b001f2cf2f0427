import type { ClipboardEvent } from 'react';
import { create } from 'zustand';
import { dropHandlers } from '../media/givenFiles.ts';
import { textOfFile } from '../media/textOfFile.ts';
import { formatOf, type ImportFormat, type Source, skippedAfter } from './importText.ts';

/** A text being imported. It stays when the page is left. */
export interface ImportDraft extends Source {
  /** Typed into the empty page and not read yet. */
  typed: string;
  /** The name of its file. */
  name: string | undefined;
  error: string | undefined;
  /** Rows and choices that are not imported: `11`, `6.2`. */
  skipped: ReadonlySet<string>;
  /** Undo states, the latest last. */
  past: readonly (Source & Pick<ImportDraft, 'skipped'>)[];
}

export interface ImportOptions {
  /** The label of the file field. */
  fileLabel: string;
  accept: string;
  columns: readonly string[];
  /** The last one is the fallback for a text in none of the others. */
  formats: readonly ImportFormat[];
  mostCharacters: number;
  /** Called when the text is replaced, so that choices for the previous one are dropped. */
  onOther?: () => void;
  /** Called when a text was given, or a file that could not be read. */
  onGiven?: (hasText: boolean) => void;
}

export type TableImport = ReturnType<typeof tableImport>;

const NONE: ImportDraft = {
  ...{ text: '', typed: '', format: 'lines', name: undefined, error: undefined },
  ...{ skipped: new Set<string>(), past: [] },
};
const MOST_STEPS = 20;

/** The draft of one import, and the actions on it. */
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
  /** Makes a step that undo reverts. */
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
    /** Sets another text. Choices of rows with a new prompt are no longer skipped. */
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
    /** Returns to editing the text. */
    edit: (): void => reset({ typed: useDraft.getState().text }),
    clear: (): void => reset(),
  };
}

const isTyping = (target: EventTarget): boolean => target instanceof Element && target.matches('input, textarea');

/** Page handlers that import a dropped file or pasted text. */
export const importHandlers = (table: TableImport) => ({
  ...dropHandlers(({ files: [file] }) => file && void table.readFile(file)),
  onPaste: (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    if (event.defaultPrevented || isTyping(event.target) || text.trim() === '') return;
    event.preventDefault();
    table.start(text);
  },
});
