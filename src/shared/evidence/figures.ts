import type { Difference } from '../jobs/difference.ts';
import type { Nano } from '../money/money.ts';
import { costOf, type Price, priceSchema } from '../money/price.ts';
import type { Quantity } from '../money/quantity.ts';
import { t } from '../text/texts.ts';
import type { EvidenceRecord, Facts, Json } from './record.ts';

/** What the records of a job say, as figures: ordered, made, stated, billed. */

export interface MadeFacts {
  results: number;
  bytes: number;
  /** Of each result, in lower-case hex. */
  sha256s: string[];
  /** Of the first result. */
  seconds?: number;
  width?: number;
  height?: number;
  /** How long its picture is black, or stands still, in milliseconds. */
  blackMs?: number;
  frozenMs?: number;
}

/** Something that was to be, beside what it is. */
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
  /** Its settings in one line: `4 s, 1080p`. */
  settings: string;
  orderedAt: number;
  sentAt?: number;
  attempts: number;
  outcome: EvidenceOutcome;
  requestId?: string;
  operation?: string;
  /** Where the price list, as it was used, comes from. */
  priceSource?: string;
  /** The estimate at its price: dearest and cheapest reading; absent at an unknown price. */
  ordered?: { nano: Nano; lowNano: Nano };
  /** What was delivered, at the same price. */
  due?: { nano: Nano; lowNano: Nano };
  stated?: { nano?: Nano; by: string; as: string };
  chargedNano: Nano;
  doubtNano: Nano;
  billedNano?: Nano;
  made: MadeFacts;
  /** How its results differ from the order. */
  differs: Disagreement[];
  /** Whether its results were compared with the order. */
  compared: boolean;
}

const text = (fact: Json | undefined): string | undefined => (typeof fact === 'string' ? fact : undefined);
const number = (fact: Json | undefined): number | undefined => (typeof fact === 'number' ? fact : undefined);
const object = (fact: Json | undefined): Facts =>
  typeof fact === 'object' && fact !== null && !Array.isArray(fact) ? (fact as Facts) : {};
const list = (fact: Json | undefined): Facts[] => (Array.isArray(fact) ? fact.map((one) => object(one as Json)) : []);

/** What is gathered on the way. */
interface Gathered extends JobFigures {
  /** Results that came; one may come again, where its file was damaged. */
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
    // Besides its charge, which a bill has too: none that says otherwise was entered.
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
    // The addresses of all its results answered that they were refused: what was charged before was for nothing.
    found.outcome = 'refused';
    delete found.quantity;
  },
  canceled(found) {
    found.outcome = 'canceled';
  },
};

/** Black or still for less than this, in milliseconds, is what clips are made of. */
const LOST_MS = 500;

/** `bill`: what the job's lines of all bills amount to, in nano-dollars, where no decision about them is among the records. */
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

/** By the price that it was made at and what was delivered; nothing was delivered where it was refused or failed. */
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
  open: t`Under way`,
};

/** What was made, in a few words. */
export function madeWords({ made, differs, outcome }: JobFigures): string {
  if (differs.length > 0) return differs.map((one) => one.made).join('; ');
  const parts = [
    ...(made.seconds === undefined ? [] : [`${Number(made.seconds.toFixed(2))} s`]),
    ...(made.width === undefined ? [] : [`${made.width} × ${made.height ?? 0}`]),
  ];
  return parts.length > 0 && (outcome === 'made' || outcome === 'open') ? parts.join(', ') : OUTCOMES[outcome];
}

/** What the service asks for it: the bill, else what the answer stated. */
export const askedForNano = ({ billedNano, stated }: JobFigures): Nano | undefined => billedNano ?? stated?.nano;

/** By how much it is above what was due; 0 where it is not, or where one of the two is not known. */
export function apartNano(figures: JobFigures): Nano {
  const asked = askedForNano(figures);
  return asked === undefined || figures.due === undefined ? 0 : Math.max(0, asked - figures.due.nano);
}

/** What the price was to be: for what was delivered, or as it was ordered where that is not known. */
export const expectedOf = ({ due, ordered }: JobFigures): JobFigures['due'] => due ?? ordered;

/**
 * By how much what the service asks for is another amount than was expected, below 0 where it is less; 0 where it is the same, or where one
 * of the two is not known. An answer may state any reading of an open price. A bill has one amount, and is compared with that of the order.
 */
export function differenceNano(figures: JobFigures): Nano {
  const { due, billedNano } = figures;
  const asked = askedForNano(figures);
  const expected = expectedOf(figures);
  if (asked === undefined || expected === undefined) return 0;
  // Without a delivery, nothing on the bill is no difference.
  if (due === undefined && asked === 0) return 0;
  const least = billedNano === undefined ? expected.lowNano : expected.nano;
  return asked >= least && asked <= expected.nano ? 0 : asked - expected.nano;
}

/** Whether price and goods are as ordered, as far as the records say. */
export const agrees = (figures: JobFigures): boolean => differenceNano(figures) === 0 && figures.differs.length === 0;
