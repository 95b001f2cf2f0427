import { hash } from 'node:crypto';

/** Of a text in UTF-8, in lower-case hex. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');
