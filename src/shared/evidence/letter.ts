import { allKinds } from '../kinds/index.ts';
import { formatNano } from '../money/money.ts';
import { counted, en } from '../text/texts.ts';
import type { EvidenceDocument, EvidenceJob } from './document.ts';
import {
  agrees,
  billedOrStatedNano,
  differenceNano,
  type EvidenceOutcome,
  expectedOf,
  type JobFigures,
  overchargeNano,
} from './figures.ts';

/**
 * The letter of a dispute: English, for a gateway's billing desk, one paragraph each for the addressee, the fault, the facts and the demand.
 * It contains no prompts, names or seeds, so nothing has to be removed from it.
 */

/** The local time with its zone: `2 December 2026 at 01:04:11 UTC+1`. */
export function momentOf(at: number): { day: string; clock: string; zone: string } {
  const date = new Date(at);
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }).format(date);
  const clock = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(date);
  const minutes = -date.getTimezoneOffset();
  const hours = Math.trunc(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  const sign = minutes < 0 ? '−' : '+';
  const zone = minutes === 0 ? 'UTC' : `UTC${sign}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
  return { day, clock, zone };
}

export function letterOf(document: EvidenceDocument): string[] {
  const { gateway, jobs } = document;
  const to = `To the billing desk of ${gateway.name}`;
  const [first] = jobs;
  const play = jobs.some(({ figures }) => figures.play) ? [PLAY] : [];
  if (jobs.length === 1 && first) return [to, headingOfOne(first.figures), ...bodyOfOne(document, first), ...play];
  return [to, headingOfMany(document), ...bodyOfMany(document), ...play];
}

const PLAY = en`This is test money of the sandbox. It is on no bill, and nobody owes it.`;

/** The gateway's word; a record may be of a kind that this version does not know. */
const nameOf = (kind: string): string => allKinds().find(({ name }) => name === kind)?.words.billed ?? kind;

const thing = ({ kind }: JobFigures): string => `${nameOf(kind)} order`.trimStart();

/** `twice its listed price`, `$0.15 more than its listed price`, `$1.20 less than its listed price`. */
function otherPrice(figures: JobFigures): string | undefined {
  const difference = differenceNano(figures);
  const [asked, expected] = [billedOrStatedNano(figures) ?? 0, expectedOf(figures)?.nano ?? 0];
  if (difference === 0) return undefined;
  if (difference < 0) return `${formatNano(-difference)} less than its listed price`;
  if (expected === 0) return `${formatNano(asked)}, and nothing was delivered`;
  return asked / expected === 2 ? 'twice its listed price' : `${formatNano(difference)} more than its listed price`;
}

const PARTS: Readonly<Record<string, string>> = {
  type: 'as another type of file',
  size: 'in another size',
  aspect: 'in another shape',
  seconds: 'in another length',
  audio: 'with other sound',
  count: 'in another number',
  picture: 'with a part of its picture missing',
};

/** The heading of a request that was charged no more than was due, by its outcome. */
const HEADINGS: Readonly<Record<EvidenceOutcome, (order: string) => string>> = {
  made: (order) => en`One ${order} was made and charged as it was ordered.`,
  refused: (order) => en`One ${order} was refused.`,
  failed: (order) => en`One ${order} failed.`,
  inDoubt: (order) => en`The answer to one ${order} was lost.`,
  canceled: (order) => en`One ${order} was canceled.`,
  open: (order) => en`One ${order} is not finished.`,
};

function headingOfOne(figures: JobFigures): string {
  const price = otherPrice(figures);
  const made = [...new Set(figures.differs.map(({ what }) => PARTS[what] ?? 'otherwise'))];
  if (price === undefined && made.length === 0) return HEADINGS[figures.outcome](thing(figures));
  const parts = [
    ...(price === undefined ? [] : [`charged at ${price}`]),
    ...(made.length === 0 ? [] : [`made ${made.join(' and ')}`]),
  ];
  return en`One ${thing(figures)} was ${parts.join(' and ')}.`;
}

function orderedSentence({ kind, model, settings, sentAt, orderedAt }: JobFigures): string {
  const { day, clock, zone } = momentOf(sentAt ?? orderedAt);
  const from = model === undefined ? '' : ` from ${model}`;
  const how = settings === '' || settings === kind ? '' : ` (${settings})`;
  return en`On ${day} at ${clock} ${zone} we ordered one ${nameOf(kind) || 'result'}${from}${how}.`;
}

function priceSentence({ ordered, due, priceSource }: JobFigures): string {
  if (!ordered) return en`No price of it was known to us.`;
  const listed = due ?? ordered;
  const source = priceSource === undefined ? '' : ` (${priceSource})`;
  const range = listed.lowNano === listed.nano ? '' : `${formatNano(listed.lowNano)} to `;
  return en`By the price list as we had it${source} that is ${range}${formatNano(listed.nano)}.`;
}

function statedSentence({ stated, billedNano, requestId }: JobFigures): string {
  const answer = requestId === undefined ? 'Your answer' : `Your answer to request ${requestId}`;
  const said =
    stated === undefined ? en`${answer} states no cost.` : en`${answer} states ${stated.as} in ${stated.by}.`;
  return billedNano === undefined ? said : en`${said} Your bill has ${formatNano(billedNano)}.`;
}

function madeSentence({ outcome, differs, made }: JobFigures): string {
  if (outcome === 'refused') return en`It was refused, and nothing was delivered.`;
  if (outcome === 'failed') return en`It failed, and nothing was delivered.`;
  if (outcome === 'inDoubt') return en`Its answer was lost, and what it cost is not known to us.`;
  if (differs.length > 0) {
    const parts = differs.map((one) => `${one.made} where ${one.ordered} was ordered`);
    return en`What came is ${parts.join('; ')}.`;
  }
  return made.results === 0 ? '' : en`What came is as it was ordered.`;
}

function askSentence(nano: number, what: string): string {
  return nano === 0
    ? en`We ask for no money back; the records are enclosed for what they show.`
    : en`We ask for ${formatNano(nano)} back, or for the rule by which ${what} is right.`;
}

function enclosed(document: EvidenceDocument, more: readonly string[] = []): string {
  const { records } = document.holds;
  const held =
    records === 0
      ? en`No records were kept when this was ordered, so the enclosed file holds its figures alone.`
      : en`The enclosed file holds ${counted(records, 'record')} of what was sent and answered, and when.`;
  return [...more, held].join(' ');
}

function bodyOfOne(document: EvidenceDocument, { figures }: EvidenceJob): string[] {
  const asked = billedOrStatedNano(figures);
  const body = [orderedSentence(figures), priceSentence(figures), statedSentence(figures), madeSentence(figures)];
  const [content] = figures.made.sha256s;
  const ids = [
    ...(figures.operation === undefined ? [] : [en`Operation ${figures.operation}.`]),
    ...(content === undefined ? [] : [en`Content ${content} (SHA-256).`]),
  ];
  const ask = askSentence(overchargeNano(figures), asked === undefined ? 'it' : formatNano(asked));
  return [body.filter((one) => one !== '').join(' '), enclosed(document, [ask, ...ids])];
}

function headingOfMany({ jobs, sums, scope }: EvidenceDocument): string {
  const when = scope.type === 'night' ? ' in one night' : scope.type === 'month' ? ' in one month' : '';
  if (sums.differ === 0)
    return sums.made === jobs.length
      ? en`${counted(jobs.length, 'order')}${when}, made and charged as they were ordered.`
      : en`${counted(jobs.length, 'order')}${when}, charged as they were ordered.`;
  const verb = sums.differ === 1 ? 'does' : 'do';
  return en`Of ${counted(jobs.length, 'order')}${when}, ${sums.differ} ${verb} not agree with what was ordered.`;
}

function bodyOfMany(document: EvidenceDocument): string[] {
  const { jobs, sums, scope } = document;
  const [from, to] = [momentOf(scope.from), momentOf(scope.to)];
  const refused = sums.refused === 0 ? '' : ` ${sums.refused} of them ${sums.refused === 1 ? 'was' : 'were'} refused.`;
  const unpriced = sums.unpriced === 0 ? '' : ` Of ${sums.unpriced} no price was known to us.`;
  const stated =
    sums.statedNano === null
      ? 'No answer stated a cost'
      : en`${counted(sums.stated, 'answer')} stated ${formatNano(sums.statedNano)} in all`;
  const billed = sums.billedNano === null ? '' : ` Your bill has ${formatNano(sums.billedNano)} for them.`;
  const what =
    en`Between ${from.day}, ${from.clock}, and ${to.day}, ${to.clock} ${to.zone} we ordered ${counted(jobs.length, 'job')} for ` +
    `${formatNano(sums.orderedNano)} by the price list as we had it.${refused}${unpriced} ${stated}; ${formatNano(sums.dueNano)} was due.${billed}`;
  const odd = jobs.filter(({ figures }) => !agrees(figures));
  const lines = odd.slice(0, MOST_NAMED).map(({ figures }) => lineOf(figures));
  const rest = odd.length > MOST_NAMED ? [en`${odd.length - MOST_NAMED} more are in the enclosed file.`] : [];
  const ask = askSentence(sums.askedBackNano, 'the rest');
  return [
    what,
    ...(lines.length + rest.length === 0 ? [] : [[...lines, ...rest].join(' ')]),
    enclosed(document, [ask]),
  ];
}

const MOST_NAMED = 12;

function lineOf(figures: JobFigures): string {
  const { operation, requestId, model, kind } = figures;
  const which = operation ?? requestId ?? model ?? nameOf(kind);
  const price = otherPrice(figures);
  const made = figures.differs.map((one) => `${one.made} where ${one.ordered} was ordered`);
  return `${which}: ${[...(price === undefined ? [] : [`charged at ${price}`]), ...made].join('; ')}.`;
}
