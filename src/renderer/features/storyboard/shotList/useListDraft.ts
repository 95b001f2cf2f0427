import { create } from 'zustand';
import { formatOf, type ListFormat, textOfFile } from './listText.ts';

/** The list that is being imported; it stays while the page is left, so that leaving loses no text. */
interface ListDraft {
  text: string;
  format: ListFormat;
  /** The file it was read from. */
  name: string | undefined;
  error: string | undefined;
}

const NO_DRAFT: ListDraft = { text: '', format: 'lines', name: undefined, error: undefined };

export const useListDraft = create<ListDraft>()(() => NO_DRAFT);

/** What is typed or pasted; the first text decides whether it is a table. */
export const writeList = (text: string): void =>
  useListDraft.setState((old) => ({
    text,
    error: undefined,
    format: old.text === '' || formatOf(text) === 'csv' ? formatOf(text) : old.format,
  }));

export async function readListFile(file: File): Promise<void> {
  const read = await textOfFile(file);
  useListDraft.setState(
    read.ok
      ? { text: read.data, format: formatOf(read.data), name: file.name, error: undefined }
      : { error: read.error.message },
  );
}

export const clearList = (): void => useListDraft.setState(NO_DRAFT);
