export { Triage } from './triage.ts';
