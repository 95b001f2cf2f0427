/** What a line says, whatever stands around it: a mark is the same for the same line in another text. */

type Said = [remoteId: string, requestKey: string, model: string, units: string, at: number, nano: number];

/** `again`: the first of lines that say the same is 1. */
export const markOf = (said: string, again: number): string => `${said}#${again}`;
export const saidBy = (said: Said): string => JSON.stringify(said);

export interface Parts {
  said: Said;
  again: string;
  text: string;
}

/** Of a line of a bill; undefined for an entry of the ledger. */
export function partsOf(mark: string): Parts | undefined {
  const end = mark.lastIndexOf('#');
  if (!mark.startsWith('[') || end < 0) return undefined;
  const text = mark.slice(0, end);
  return { said: JSON.parse(text) as Said, again: mark.slice(end + 1), text };
}
