import type { EvidenceLine, EvidencePreview } from '../../../../shared/evidence/calls.ts';
import type { EvidenceRecord, Facts, Json } from '../../../../shared/evidence/record.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { counted, plural, t } from '../../../../shared/text/texts.ts';
import { formatBytes } from '../../../ui/index.ts';

/** Labels of records on the page, and their facts in one line. */

const NAMES: Record<EvidenceRecord['what'], string> = {
  ordered: t`Requested`,
  changed: t`Changed`,
  claimed: t`To be sent`,
  sent: t`Sent`,
  answered: t`Answered`,
  stated: t`Stated`,
  asked: t`Status checked`,
  charged: t`Charged`,
  doubt: t`Unconfirmed`,
  released: t`Released`,
  corrected: t`Corrected`,
  billed: t`Billed`,
  fetched: t`Fetched`,
  gone: t`Lost`,
  compared: t`Compared`,
  inspected: t`Inspected`,
  canceled: t`Canceled`,
  stopped: t`Stopped`,
};

const number = (fact: Json | undefined): number => (typeof fact === 'number' ? fact : 0);
const text = (fact: Json | undefined): string => (typeof fact === 'string' ? fact : '');
const money = (word: string, fact: Json | undefined): string =>
  number(fact) === 0 ? '' : `${word} ${formatNano(number(fact))}`;
const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join(', ');

/** `Answered 202`, `Asked 41 times` */
export function titleOf({ what, facts }: EvidenceRecord): string {
  if (what === 'answered' && typeof facts.status === 'number') return t`Answered ${facts.status}`;
  return what === 'asked' ? t`Status checked ${counted(number(facts.times), 'time')}` : NAMES[what];
}

const OUTCOMES: Readonly<Record<string, string>> = {
  accepted: t`Sent and accepted`,
  done: t`Done`,
  refused: t`Refused`,
  unsent: t`Not sent`,
  unknown: t`No answer`,
  otherSpelling: t`Refused`,
};

/** A released amount is described by what it becomes, or on its own if it becomes nothing. */
const moneyLine = (facts: Facts): string =>
  joined(money(t`Charged`, facts.settledNano), money(t`Unconfirmed`, facts.uncertainNano)) ||
  money(t`Reserved`, facts.reservedNano) ||
  t`Nothing`;

function orderLine(facts: Facts): string {
  const price = typeof facts.nano === 'number' ? formatNano(facts.nano) : t`No price set`;
  return joined(text(facts.model), text(facts.settings), price);
}

function sizeOf(facts: Facts): string {
  const size = number(facts.width) > 0 ? `${number(facts.width)} × ${number(facts.height)}` : '';
  const seconds = number(facts.seconds) || number(facts.ms) / 1000;
  return joined(seconds > 0 ? `${Number(seconds.toFixed(2))} s` : '', size);
}

function inspectedLine(facts: Facts): string {
  const rate = number(facts.milliFps) > 0 ? `${Number((number(facts.milliFps) / 1000).toFixed(2))} fps` : '';
  const spans = Array.isArray(facts.spans) ? (facts.spans as Facts[]) : [];
  const odd = spans.map((span) => `${text(span.kind)}: ${Number((number(span.fromMs) / 1000).toFixed(2))} s`);
  return joined(sizeOf(facts), rate, ...odd);
}

function askedLine(facts: Facts): string {
  const answers = typeof facts.answers === 'object' && facts.answers !== null ? Object.entries(facts.answers) : [];
  return joined(...answers.map(([name, count]) => `${name} ${String(count)}`));
}

function comparedLine({ differs, refused }: Facts): string {
  if (refused !== undefined) return t`Refused`;
  const all = Array.isArray(differs) ? (differs as Facts[]) : [];
  return all.length === 0
    ? t`No difference found`
    : joined(...all.map((one) => `${text(one.ordered)} → ${text(one.made)}`));
}

const LINES: Partial<Record<EvidenceRecord['what'], (facts: Facts) => string>> = {
  ordered: orderLine,
  changed: orderLine,
  claimed: (facts) => joined(facts.again === true ? t`Sent again` : '', orderLine(facts)),
  sent: (facts) => joined(formatBytes(number(facts.bytes)), text(facts.key)),
  answered: (facts) => joined(OUTCOMES[text(facts.outcome)] ?? '', text(facts.requestId), text(facts.task)),
  stated: (facts) => t`${text(facts.as)} in ${text(facts.by)}`,
  asked: askedLine,
  charged: moneyLine,
  doubt: moneyLine,
  released: moneyLine,
  corrected: moneyLine,
  billed: moneyLine,
  fetched: (facts) =>
    joined(formatBytes(number(facts.bytes)), sizeOf(facts), `SHA-256 ${text(facts.sha256).slice(0, 8)}…`),
  gone: () => t`The link has ended.`,
  compared: comparedLine,
  inspected: inspectedLine,
  canceled: (facts) => (facts.sent === true ? t`Canceled after it was sent` : t`Not sent`),
  stopped: (facts) =>
    joined(
      money(t`Stated`, facts.statedNano),
      money(t`Expected`, facts.expectedNano),
      plural(number(facts.waiting), 'job'),
    ),
};

export const lineOf = ({ what, facts }: EvidenceRecord): string => LINES[what]?.(facts) ?? '';

/** The job, if the preview is about only one. */
export const onlyOf = ({ jobs, differ, agree }: EvidencePreview): EvidenceLine | undefined =>
  jobs === 1 ? [...differ, ...agree][0] : undefined;
