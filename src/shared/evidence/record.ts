/** The record of a job: an event for each thing that was done or said about it, in order. */

/** What a record is about, in the order in which they usually come. */
export type RecordKind =
  /** Ordered by the user at a price. */
  | 'ordered'
  /** Its request was edited before it was sent. */
  | 'changed'
  /** The intent to send it, on disk before the first byte left. */
  | 'claimed'
  /** What was sent, by its hash. */
  | 'sent'
  /** The answer to what was sent, or that there is none. */
  | 'answered'
  /** What an answer stated as its cost. */
  | 'stated'
  /** How often its task was asked for, and what came of it. */
  | 'asked'
  | 'charged'
  | 'doubt'
  | 'released'
  | 'corrected'
  | 'billed'
  /** A result came, and was verified. */
  | 'fetched'
  /** A result did not come. */
  | 'gone'
  /** What was made beside what was ordered. */
  | 'compared'
  /** What was measured of a result. */
  | 'inspected'
  | 'canceled'
  /** Other orders were stopped because of it. */
  | 'stopped';

/** Plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | Facts;
export type Facts = { readonly [name: string]: Json };

export interface EvidenceRecord {
  /** Milliseconds since 1970. */
  at: number;
  what: RecordKind;
  facts: Facts;
}

/** Of a longer prompt, a record has the start and `…`; the job's own request has it all. */
export const MAX_RECORDED_WORDS = 8_192;

/** What may be taken out of what leaves: words of prompts and messages, names, seeds and references. */
export const REDACTIONS = ['words', 'names', 'seeds'] as const;
export type Redaction = (typeof REDACTIONS)[number];

/** The facts that may be taken out. A request as it was sent holds seeds beside words. */
const HIDEABLE: Readonly<Record<string, readonly Redaction[]>> = {
  words: ['words'],
  message: ['words'],
  body: ['words', 'seeds'],
  seed: ['seeds'],
  references: ['seeds'],
  inputs: ['seeds'],
};

/** The names of the facts that are taken out with one of these. */
export const takenOutOf = ({ facts }: EvidenceRecord, redact: readonly Redaction[]): string[] =>
  Object.keys(facts).filter((name) => HIDEABLE[name]?.some((one) => redact.includes(one)));
