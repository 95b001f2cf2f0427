export { batch } from './batch.ts';
export { exportFilm } from './export.ts';
export { quote, quotes } from './quotes.ts';
export { report } from './report.ts';
export { status } from './status.ts';
