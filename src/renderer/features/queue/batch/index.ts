export { BatchPage } from './BatchPage.tsx';
export { ImportButton } from './ImportButton.tsx';
export { jobs } from './jobs.ts';
