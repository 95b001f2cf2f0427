import type { Difference } from '../jobs/difference.ts';
import type { Nano } from '../money/money.ts';
import { costOf, type Price, priceSchema } from '../money/price.ts';
import type { Quantity } from '../money/quantity.ts';
import { t } from '../text/texts.ts';
import type { EvidenceRecord, Facts, Json } from './record.ts';

/** The figures in the records of a job: requested, made, stated, billed. */

export interface MadeFacts {
  results: number;
  bytes: number;
  sha256s: string[];
  /** The length of the first result. */
  seconds?: number;
  width?: number;
  height?: number;
  /** How long the picture is black or frozen, in milliseconds. */
  blackMs?: number;
  frozenMs?: number;
}

/** A difference between the request and the result. */
export interface Disagreement {
  what: 'price' | Difference['what'] | 'picture';
  ordered: string;
  made: string;
}

export type EvidenceOutcome = 'made' | 'refused' | 'failed' | 'inDoubt' | 'canceled' | 'open';

export interface JobFigures {
  kind: string;
  model?: string;
  gateway?: { name: string; host: string };
  play?: true;
  /** The settings in one line: `4 s, 1080p`. */
  settings: string;
  orderedAt: number;
  sentAt?: number;
  attempts: number;
  outcome: EvidenceOutcome;
  requestId?: string;
  operation?: string;
  /** The source of the price that was used. */
  priceSource?: string;
  /** The estimate, at the highest and at the lowest interpretation; absent with no price set. */
  ordered?: { nano: Nano; lowNano: Nano };
  /** The price of what was delivered, likewise. */
  due?: { nano: Nano; lowNano: Nano };
  stated?: { nano?: Nano; by: string; as: string };
  chargedNano: Nano;
  doubtNano: Nano;
  billedNano?: Nano;
  made: MadeFacts;
  /** Differences between results and request. */
  differs: Disagreement[];
  /** Whether results were compared with the request. */
  compared: boolean;
}

const text = (fact: Json | undefined): string | undefined => (typeof fact === 'string' ? fact : undefined);
const number = (fact: Json | undefined): number | undefined => (typeof fact === 'number' ? fact : undefined);
const object = (fact: Json | undefined): Facts =>
  typeof fact === 'object' && fact !== null && !Array.isArray(fact) ? (fact as Facts) : {};
const list = (fact: Json | undefined): Facts[] => (Array.isArray(fact) ? fact.map((one) => object(one as Json)) : []);

interface Gathered extends JobFigures {
  /** Results that arrived; a damaged file arrives again. */
  outputs: Set<number>;
  price?: Price;
  quantity?: Quantity;
}

type Reader = (found: Gathered, facts: Facts, record: EvidenceRecord) => void;

function readPrice(found: Gathered, facts: Facts): void {
  const price = priceSchema.safeParse(facts.price);
  const nano = number(facts.nano);
  const lowNano = number(facts.lowNano);
  if (price.success) {
    found.price = price.data;
    found.priceSource = price.data.source;
  }
  if (nano !== undefined && lowNano !== undefined) found.ordered = { nano, lowNano };
}

function readOrder(found: Gathered, facts: Facts): void {
  const model = text(facts.model);
  const { name, host } = object(facts.gateway);
  found.kind = text(facts.kind) ?? '';
  found.settings = text(facts.settings) ?? '';
  if (model !== undefined) found.model = model;
  if (facts.play === true) found.play = true;
  if (typeof name === 'string') found.gateway = { name, host: text(host) ?? '' };
  readPrice(found, facts);
}

function readMoney(found: Gathered, facts: Facts): void {
  found.chargedNano += number(facts.settledNano) ?? 0;
  found.doubtNano += number(facts.uncertainNano) ?? 0;
  if (facts.billedNano === null) delete found.billedNano;
  else if (typeof facts.billedNano === 'number') found.billedNano = facts.billedNano;
  const quantity = object(facts.quantity) as Quantity;
  if (Object.keys(quantity).length > 0) found.quantity = quantity;
}

const ANSWERS: Readonly<Record<string, EvidenceOutcome>> = {
  refused: 'refused',
  unsent: 'open',
  unknown: 'inDoubt',
  done: 'made',
  accepted: 'open',
};

const READERS: Readonly<Partial<Record<EvidenceRecord['what'], Reader>>> = {
  ordered: readOrder,
  changed: readOrder,
  claimed(found, facts, { at }) {
    found.attempts += 1;
    found.sentAt ??= at;
    readPrice(found, facts);
  },
  answered(found, facts) {
    const [requestId, operation] = [text(facts.requestId), text(facts.task)];
    if (requestId !== undefined) found.requestId = requestId;
    if (operation !== undefined) found.operation = operation;
    found.outcome = ANSWERS[text(facts.outcome) ?? ''] ?? found.outcome;
  },
  asked(found, facts) {
    const results = number(facts.results);
    if (results !== undefined) found.outcome = 'made';
    else if (number(object(facts.answers).failed) !== undefined) found.outcome = 'failed';
  },
  stated(found, facts) {
    const nano = number(facts.nano);
    const by = text(facts.by) ?? '';
    found.stated = { by, as: text(facts.as) ?? '', ...(nano === undefined ? {} : { nano }) };
  },
  charged: readMoney,
  corrected: readMoney,
  doubt: readMoney,
  released: readMoney,
  billed(found, facts) {
    // Adds to the charge, which is on the bill too unless an earlier decision says otherwise.
    if (facts.billedNano !== null)
      found.billedNano = (found.billedNano ?? found.chargedNano) + (number(facts.settledNano) ?? 0);
    readMoney(found, facts);
  },
  fetched(found, facts) {
    const { made, outputs } = found;
    const output = number(facts.output) ?? 0;
    if (outputs.has(output)) return;
    outputs.add(output);
    made.results += 1;
    made.bytes += number(facts.bytes) ?? 0;
    made.sha256s.push(text(facts.sha256) ?? '');
    if (made.results > 1) return;
    const [seconds, width, height] = [number(facts.seconds), number(facts.width), number(facts.height)];
    if (seconds !== undefined) made.seconds = seconds;
    if (width && height) Object.assign(made, { width, height });
  },
  inspected(found, facts) {
    const spans = list(facts.spans);
    const lost = (kind: string): number =>
      spans
        .filter((span) => span.kind === kind)
        .reduce((sum, span) => sum + (number(span.toMs) ?? 0) - (number(span.fromMs) ?? 0), 0);
    if (lost('black') > 0) found.made.blackMs = lost('black');
    if (lost('frozen') > 0) found.made.frozenMs = lost('frozen');
  },
  compared(found, facts) {
    found.compared = true;
    found.differs = list(facts.differs).map((one) => ({
      what: (text(one.what) ?? 'size') as Disagreement['what'],
      ordered: text(one.ordered) ?? '',
      made: text(one.made) ?? '',
    }));
    if (number(facts.refused) === undefined) return;
    // Every address of the results answered with a refusal: nothing was delivered for the charge.
    found.outcome = 'refused';
    delete found.quantity;
  },
  canceled(found) {
    found.outcome = 'canceled';
  },
};

/** Clips often have shorter black or frozen parts, in milliseconds. */
const LOST_MS = 500;

/** `bill`: the job's lines on all bills, in nano-dollars, unless the records contain a decision about them. */
export function figuresOf(records: readonly EvidenceRecord[], bill?: { nano: Nano }): JobFigures {
  const found: Gathered = {
    kind: '',
    settings: '',
    orderedAt: records[0]?.at ?? 0,
    attempts: 0,
    outcome: 'open',
    chargedNano: 0,
    doubtNano: 0,
    made: { results: 0, bytes: 0, sha256s: [] },
    differs: [],
    compared: false,
    outputs: new Set(),
  };
  for (const record of records) READERS[record.what]?.(found, record.facts, record);
  const { price: _, quantity: __, outputs: ___, ...figures } = found;
  if (bill && figures.billedNano === undefined) figures.billedNano = bill.nano;
  const due = dueOf(found);
  return { ...figures, ...(due ? { due } : {}), differs: [...figures.differs, ...lostPicture(figures.made)] };
}

/** At the price it was made at, for what was delivered; nothing is due after a refusal or failure. */
function dueOf({ price, quantity, outcome }: Gathered): JobFigures['due'] {
  if (price && quantity) return costOf(price, quantity);
  return outcome === 'refused' || outcome === 'failed' ? { nano: 0, lowNano: 0 } : undefined;
}

function lostPicture({ seconds, blackMs = 0, frozenMs = 0 }: MadeFacts): Disagreement[] {
  const lost = blackMs + frozenMs;
  if (seconds === undefined || lost < LOST_MS) return [];
  const kept = Math.max(0, Math.round(seconds * 1000) - lost) / 1000;
  const how = blackMs > 0 && frozenMs > 0 ? 'black or still' : blackMs > 0 ? 'black' : 'still';
  return [{ what: 'picture', ordered: `${seconds.toFixed(1)} s`, made: `${kept.toFixed(1)} s, the rest ${how}` }];
}

const OUTCOMES: Readonly<Record<EvidenceOutcome, string>> = {
  made: t`Made`,
  refused: t`Refused`,
  failed: t`Failed`,
  inDoubt: t`Unconfirmed`,
  canceled: t`Canceled`,
  open: t`Running`,
};

export function madeWords({ made, differs, outcome }: JobFigures): string {
  if (differs.length > 0) return differs.map((one) => one.made).join('; ');
  const parts = [
    ...(made.seconds === undefined ? [] : [`${Number(made.seconds.toFixed(2))} s`]),
    ...(made.width === undefined ? [] : [`${made.width} × ${made.height ?? 0}`]),
  ];
  return parts.length > 0 && (outcome === 'made' || outcome === 'open') ? parts.join(', ') : OUTCOMES[outcome];
}

/** The billed cost, else the stated one. */
export const billedOrStatedNano = ({ billedNano, stated }: JobFigures): Nano | undefined => billedNano ?? stated?.nano;

/** How far the billed or stated cost is above what is due; 0 if it is not, or if either is unknown. */
export function overchargeNano(figures: JobFigures): Nano {
  const asked = billedOrStatedNano(figures);
  return asked === undefined || figures.due === undefined ? 0 : Math.max(0, asked - figures.due.nano);
}

/** The expected cost: of what was delivered, else of the request. */
export const expectedOf = ({ due, ordered }: JobFigures): JobFigures['due'] => due ?? ordered;

/**
 * How far the billed or stated cost differs from the expected one, negative if lower; 0 if equal or unknown. An answer may state any
 * interpretation of an open price; a bill is compared with the request's.
 */
export function differenceNano(figures: JobFigures): Nano {
  const { due, billedNano } = figures;
  const asked = billedOrStatedNano(figures);
  const expected = expectedOf(figures);
  if (asked === undefined || expected === undefined) return 0;
  // Nothing delivered and nothing billed agree.
  if (due === undefined && asked === 0) return 0;
  const least = billedNano === undefined ? expected.lowNano : expected.nano;
  return asked >= least && asked <= expected.nano ? 0 : asked - expected.nano;
}

/** Whether cost and results match the request, as far as records tell. */
export const agrees = (figures: JobFigures): boolean => differenceNano(figures) === 0 && figures.differs.length === 0;
