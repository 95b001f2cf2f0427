import { create } from 'zustand';
import { formatOf, type ListFormat, textOfListFile } from './listText.ts';

/** The list that is being imported; it stays while the page is left, so that leaving loses no text. */
interface ListDraft {
  text: string;
  format: ListFormat;
  /** The file it was read from. */
  name: string | undefined;
  error: string | undefined;
  /** Of which list and film shots were asked for, and what their ids begin with. */
  asked: { of: string; id: string } | undefined;
}

const NO_DRAFT: ListDraft = { text: '', format: 'lines', name: undefined, error: undefined, asked: undefined };

export const useListDraft = create<ListDraft>()(() => NO_DRAFT);

/** What is typed or pasted; the first text decides whether it is a table. */
export const writeList = (text: string): void =>
  useListDraft.setState((old) => ({
    text,
    error: undefined,
    format: old.text === '' || formatOf(text) === 'csv' ? formatOf(text) : old.format,
  }));

/** What the ids of the shots begin with: the same for one list in one film until they are there, also where the import is left. */
export function idOfAsking(of: string): string {
  const { asked } = useListDraft.getState();
  if (asked?.of === of) return asked.id;
  const id = crypto.randomUUID();
  useListDraft.setState({ asked: { of, id } });
  return id;
}

export const forgetAsking = (): void => useListDraft.setState({ asked: undefined });

export async function readListFile(file: File): Promise<void> {
  const read = await textOfListFile(file);
  useListDraft.setState(
    read.ok
      ? { text: read.data, format: formatOf(read.data), name: file.name, error: undefined }
      : { error: read.error.message },
  );
}

export const clearList = (): void => useListDraft.setState(NO_DRAFT);
