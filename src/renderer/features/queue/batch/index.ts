export { BatchPage } from './BatchPage.tsx';
export { ImportButton } from './ImportButton.tsx';
export { useImportDrop } from './useImportDrop.ts';
