export { Diagnostics, type DiagnosticsDeps } from './diagnostics.ts';
