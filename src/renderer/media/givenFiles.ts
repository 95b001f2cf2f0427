import { type ClipboardEvent, type DragEvent, useEffect, useEffectEvent } from 'react';

/** What is given to a place by hand: dropped on it, or pasted there. Both do the same. */
type Take = (given: DataTransfer) => void;

/** While something is dragged, its files are not told yet. */
const holdsFiles = ({ types, files }: DataTransfer): boolean => types?.includes('Files') || files?.length > 0;

/** Words that are pasted where one writes are written, also where a picture of them comes along. */
const isWritten = (target: EventTarget | null, given: DataTransfer): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, [contenteditable=""], [contenteditable=true]') !== null &&
  (given.getData?.('text/plain') ?? '') !== '';

/** Takes files from an event whose files nothing else has taken. */
function takeFrom(event: Event | DragEvent | ClipboardEvent, given: DataTransfer | null, take: Take): void {
  if (event.defaultPrevented || !given || !(given.files?.length > 0)) return;
  if (event.type === 'paste' && isWritten(event.target, given)) return;
  event.preventDefault();
  take(given);
}

/** The handlers of an element that files are dropped on. */
export const dropHandlers = (take: Take) => ({
  onDragOver: (event: DragEvent) => {
    if (holdsFiles(event.dataTransfer)) event.preventDefault();
  },
  onDrop: (event: DragEvent) => takeFrom(event, event.dataTransfer, take),
});

/** The handlers of one place among others: what is pasted there while it has the focus is its own. */
export const placeHandlers = (take: Take) => ({
  ...dropHandlers(take),
  onPaste: (event: ClipboardEvent) => takeFrom(event, event.clipboardData, take),
});

/** Takes what is pasted anywhere on a page, wherever its focus is; a dialog above it is no part of it. */
export function usePastedFiles(take: Take): void {
  const taken = useEffectEvent(take);
  useEffect(() => {
    const paste = (event: globalThis.ClipboardEvent) => {
      if (event.target instanceof Element && event.target.closest('[role=dialog], [role=alertdialog]')) return;
      takeFrom(event, event.clipboardData, (given) => taken(given));
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}
