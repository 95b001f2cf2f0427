import type { EvidenceLine, EvidencePreview } from '../../../../shared/evidence/calls.ts';
import type { EvidenceRecord, Facts, Json } from '../../../../shared/evidence/record.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { counted, formatCount, t } from '../../../../shared/text/texts.ts';
import { formatBytes } from '../../../ui/index.ts';

/** What records are called on the page, and their facts in one line. */

const NAMES: Record<EvidenceRecord['what'], string> = {
  ordered: t`Ordered`,
  changed: t`Changed`,
  claimed: t`To be sent`,
  sent: t`Sent`,
  answered: t`Answered`,
  stated: t`Stated`,
  asked: t`Asked`,
  charged: t`Charged`,
  doubt: t`Unconfirmed`,
  released: t`Released`,
  corrected: t`Corrected`,
  billed: t`Billed`,
  fetched: t`Fetched`,
  gone: t`Gone`,
  compared: t`Compared`,
  inspected: t`Looked at`,
  canceled: t`Canceled`,
  stopped: t`Stopped`,
};

const number = (fact: Json | undefined): number => (typeof fact === 'number' ? fact : 0);
const text = (fact: Json | undefined): string => (typeof fact === 'string' ? fact : '');
const money = (fact: Json | undefined, word: string): string =>
  number(fact) === 0 ? '' : `${formatNano(number(fact))} ${word}`;
const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join(', ');

/** `Answered 202`, `Asked 41 times` */
export function titleOf({ what, facts }: EvidenceRecord): string {
  if (what === 'answered' && typeof facts.status === 'number') return t`Answered ${facts.status}`;
  return what === 'asked' ? t`Asked ${counted(number(facts.times), 'time')}` : NAMES[what];
}

const OUTCOMES: Readonly<Record<string, string>> = {
  accepted: 'accepted',
  done: t`done`,
  refused: 'refused',
  unsent: t`not sent`,
  unknown: t`no usable answer`,
  otherSpelling: t`refused, tried in another format`,
};

/** What is let go is said by what it becomes, and alone where it becomes nothing. */
const moneyLine = (facts: Facts): string =>
  joined(money(facts.settledNano, t`charged`), money(facts.uncertainNano, t`unconfirmed`)) ||
  money(facts.reservedNano, 'reserved') ||
  'nothing';

function orderLine(facts: Facts): string {
  const price = typeof facts.nano === 'number' ? formatNano(facts.nano) : t`no price set`;
  return joined(text(facts.model), text(facts.settings), price);
}

function sizeOf(facts: Facts): string {
  const size = number(facts.width) > 0 ? `${number(facts.width)} × ${number(facts.height)}` : '';
  const seconds = number(facts.seconds) || number(facts.ms) / 1000;
  return joined(seconds > 0 ? `${Number(seconds.toFixed(2))} s` : '', size);
}

function inspectedLine(facts: Facts): string {
  const rate = number(facts.milliFps) > 0 ? t`${Number((number(facts.milliFps) / 1000).toFixed(2))} fps` : '';
  const spans = Array.isArray(facts.spans) ? (facts.spans as Facts[]) : [];
  const odd = spans.map((span) => t`${text(span.kind)} from ${Number((number(span.fromMs) / 1000).toFixed(2))} s`);
  return joined(sizeOf(facts), rate, ...odd);
}

function askedLine(facts: Facts): string {
  const answers = typeof facts.answers === 'object' && facts.answers !== null ? Object.entries(facts.answers) : [];
  return joined(...answers.map(([name, count]) => `${name} ${String(count)}`));
}

function comparedLine({ differs, refused }: Facts): string {
  if (refused !== undefined) return t`refused, and nothing was made`;
  const all = Array.isArray(differs) ? (differs as Facts[]) : [];
  return all.length === 0
    ? t`as it was ordered`
    : joined(...all.map((one) => t`${text(one.ordered)} requested, ${text(one.made)} made`));
}

const LINES: Partial<Record<EvidenceRecord['what'], (facts: Facts) => string>> = {
  ordered: orderLine,
  changed: orderLine,
  claimed: (facts) =>
    joined(t`attempt ${number(facts.attempt)}`, facts.again === true ? t`the same bytes again` : '', orderLine(facts)),
  sent: (facts) => joined(t`${formatCount(number(facts.bytes))} bytes`, t`key ${text(facts.key)}`),
  answered: (facts) =>
    joined(
      OUTCOMES[text(facts.outcome)] ?? '',
      facts.requestId === undefined ? '' : t`request ${text(facts.requestId)}`,
      facts.task === undefined ? '' : t`operation ${text(facts.task)}`,
    ),
  stated: (facts) => t`${text(facts.as)} in ${text(facts.by)}`,
  asked: askedLine,
  charged: moneyLine,
  doubt: moneyLine,
  released: moneyLine,
  corrected: moneyLine,
  billed: moneyLine,
  fetched: (facts) =>
    joined(formatBytes(number(facts.bytes)), sizeOf(facts), t`sha256 ${text(facts.sha256).slice(0, 8)}…`),
  gone: () => t`link ended or refused`,
  compared: comparedLine,
  inspected: inspectedLine,
  canceled: (facts) => (facts.sent === true ? t`while the gateway had it` : t`before it was sent`),
  stopped: (facts) =>
    t`${formatNano(number(facts.statedNano))}, expected ${formatNano(number(facts.expectedNano))}, ${counted(number(facts.waiting), 'job')} held`,
};

export const lineOf = ({ what, facts }: EvidenceRecord): string => LINES[what]?.(facts) ?? '';

/** The one job that an evidence of one is about. */
export const onlyOf = ({ jobs, differ, agree }: EvidencePreview): EvidenceLine | undefined =>
  jobs === 1 ? [...differ, ...agree][0] : undefined;
