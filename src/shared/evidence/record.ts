import { canonicalJson, type Json } from './canonical.ts';

/**
 * The journal of a job: a record of each thing that was done or said about it, in order, each with the hash of the one before. A record's
 * hash covers its facts; a fact that may be taken out stands there as a salted hash of its own, so a copy without it still proves the rest,
 * and the fact can be shown later.
 */

/** What a record is about, in the order in which they usually come. */
export const RECORD_KINDS = [
  /** Ordered by the user at a price. */
  'ordered',
  /** Its request was edited before it was sent. */
  'changed',
  /** The intent to send it, on disk before the first byte left. */
  'claimed',
  /** What was sent, by its hash. */
  'sent',
  /** The answer to what was sent, or that there is none. */
  'answered',
  /** What an answer stated as its cost. */
  'stated',
  /** How often its task was asked for, and what came of it. */
  'asked',
  'charged',
  'doubt',
  'released',
  'corrected',
  'billed',
  /** A result came, and was verified. */
  'fetched',
  /** A result did not come. */
  'gone',
  /** What was made beside what was ordered. */
  'compared',
  /** What was measured of a result. */
  'inspected',
  'canceled',
  /** Other orders were stopped because of it. */
  'stopped',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** What may be taken out of what leaves: words of prompts and messages, names, seeds and references. */
export const REDACTIONS = ['words', 'names', 'seeds'] as const;
export type Redaction = (typeof REDACTIONS)[number];

/** A fact that may be taken out: its class, and the hash of its salt and its value. */
export type Sealed = { readonly hidden: Redaction; readonly sha256: string };

export type Fact = Json | Sealed;
export type Facts = { readonly [name: string]: Fact };

/** The value behind a sealed fact. */
export interface Shown {
  /** 32 hexadecimal digits. */
  salt: string;
  value: Json;
}

export interface EvidenceRecord {
  /** Counts from 1 in each job. */
  n: number;
  /** Milliseconds since 1970. */
  at: number;
  what: RecordKind;
  facts: Facts;
  /** The hash of the record before, in lower-case hex; of the first one {@link FIRST}. */
  prev: string;
  hash: string;
  /** The values of its sealed facts that are not taken out. */
  shown?: { readonly [name: string]: Shown };
}

/** What the first record of a job names as the one before. */
export const FIRST = '0'.repeat(64);

/** The text whose SHA-256 is a record's hash. */
export const recordText = (
  jobId: string,
  { n, at, what, facts, prev }: Omit<EvidenceRecord, 'hash' | 'shown'>,
): string => canonicalJson({ v: 1, job: jobId, n, at, what, facts, prev });

/** The text whose SHA-256 stands for a value that may be taken out. */
export const sealedText = ({ salt, value }: Shown): string => `${salt}\n${canonicalJson(value)}`;

export const isSealed = (fact: Fact | undefined): fact is Sealed =>
  typeof fact === 'object' && fact !== null && !Array.isArray(fact) && 'hidden' in fact && 'sha256' in fact;
