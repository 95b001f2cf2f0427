import { type ClipboardEvent, type DragEvent, useEffect, useEffectEvent } from 'react';

/** Handles files that are dropped or pasted. */
type Take = (given: DataTransfer) => void;

/** Browsers hide the files until they are dropped. */
const holdsFiles = ({ types, files }: DataTransfer): boolean => types?.includes('Files') || files?.length > 0;

/** Text pasted into a text field stays text, even if the clipboard has a picture of it too. */
const isWritten = (target: EventTarget | null, given: DataTransfer): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, [contenteditable=""], [contenteditable=true]') !== null &&
  (given.getData?.('text/plain') ?? '') !== '';

/** Takes the files of an event, unless something else already has. */
function takeFrom(event: Event | DragEvent | ClipboardEvent, given: DataTransfer | null, take: Take): void {
  if (event.defaultPrevented || !given || !(given.files?.length > 0)) return;
  if (event.type === 'paste' && isWritten(event.target, given)) return;
  event.preventDefault();
  take(given);
}

/** The handlers of a drop target. */
export const dropHandlers = (take: Take) => ({
  onDragOver: (event: DragEvent) => {
    if (holdsFiles(event.dataTransfer)) event.preventDefault();
  },
  onDrop: (event: DragEvent) => takeFrom(event, event.dataTransfer, take),
});

/** The handlers of one of several places: it gets what is pasted while it has the focus. */
export const placeHandlers = (take: Take) => ({
  ...dropHandlers(take),
  onPaste: (event: ClipboardEvent) => takeFrom(event, event.clipboardData, take),
});

/** Takes what is pasted anywhere on the page, wherever the focus is, except in dialogs. */
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
