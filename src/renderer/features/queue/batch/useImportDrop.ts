import type { ClipboardEvent, DragEvent } from 'react';
import { openImport, readBatchFile, startBatch } from './useBatchDraft.ts';

const isTyping = (target: EventTarget): boolean => target instanceof Element && target.matches('input, textarea');

/** For the page of the queue: a file that is dropped on it, or a text that is pasted, is read as jobs. */
export function useImportDrop() {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      void readBatchFile(file).then(openImport);
    },
    onPaste: (event: ClipboardEvent) => {
      const text = event.clipboardData.getData('text/plain');
      if (isTyping(event.target) || text.trim() === '') return;
      event.preventDefault();
      startBatch(text, 'pasted');
      openImport();
    },
  };
}
