/** The record of a job: the events of its life in order. */

/** Kinds of events, in their usual order. */
export type RecordKind =
  /** Enqueued by the user at a price. */
  | 'ordered'
  /** The request was edited before it was sent. */
  | 'changed'
  /** The intent to send it, on disk before the first byte left. */
  | 'claimed'
  /** The hash of the bytes that were sent. */
  | 'sent'
  /** The answer, or that none arrived. */
  | 'answered'
  /** The stated cost. */
  | 'stated'
  /** Polls of its task and their result. */
  | 'asked'
  | 'charged'
  | 'doubt'
  | 'released'
  | 'corrected'
  | 'billed'
  /** A result was downloaded and verified. */
  | 'fetched'
  /** A result could not be downloaded. */
  | 'gone'
  /** The result compared with the request. */
  | 'compared'
  /** Measurements of a result. */
  | 'inspected'
  | 'canceled'
  /** The job stopped other jobs. */
  | 'stopped';

export type Json = null | boolean | number | string | readonly Json[] | Facts;
export type Facts = { readonly [name: string]: Json };

export interface EvidenceRecord {
  /** Milliseconds since 1970. */
  at: number;
  what: RecordKind;
  facts: Facts;
}

/** The limit of a recorded prompt; the job's request has the rest. */
export const MAX_RECORDED_WORDS = 8_192;

/** The parts that can be removed before an export: prompts and messages, names, seeds and references. */
export const REDACTIONS = ['words', 'names', 'seeds'] as const;
export type Redaction = (typeof REDACTIONS)[number];

/** Facts that can be removed, with the classes that they contain. A sent request contains seeds besides words. */
const HIDEABLE: Readonly<Record<string, readonly Redaction[]>> = {
  words: ['words'],
  message: ['words'],
  body: ['words', 'seeds'],
  seed: ['seeds'],
  references: ['seeds'],
  inputs: ['seeds'],
};

/** The facts that these redactions remove. */
export const takenOutOf = ({ facts }: EvidenceRecord, redact: readonly Redaction[]): string[] =>
  Object.keys(facts).filter((name) => HIDEABLE[name]?.some((one) => redact.includes(one)));
