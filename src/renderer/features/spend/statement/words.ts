import { formatNano } from '../../../../shared/money/money.ts';
import {
  type AmountUnit,
  type ColumnRole,
  MATCHED_BY,
  type MatchedBy,
  type StatementLine,
} from '../../../../shared/money/statement/statement.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { formatStamp } from '../../../ui/index.ts';

/** Labels of statement lines, and the options for each. */

export type OpenGroup = 'onlyBill' | 'onlyLedger' | 'differs';

export const GROUP_WORDS: Record<OpenGroup | 'matched' | 'decided', string> = {
  onlyBill: t`Only on the bill`,
  onlyLedger: t`Only in Dailies`,
  differs: t`Amount differs`,
  matched: t`Match`,
  decided: t`Decided`,
};

export const MATCH_WORDS: Record<MatchedBy, string> = {
  id: t`Same id`,
  key: t`Same idempotency key`,
  near: t`Model and amount, within 5 min`,
  user: t`Manual`,
};
export const MATCHES = MATCHED_BY;

/** The units that the amounts of a column may have. */
const UNIT_WORDS: Record<AmountUnit, string> = {
  dollar: t`Amount, $`,
  cent: t`Amount, cents`,
  micro: t`Amount, millionths of $`,
  nano: t`Amount, nano-dollars`,
};
const ROLE_WORDS: Record<Exclude<ColumnRole, 'amount'>, string> = {
  at: t`Time`,
  end: t`End time`,
  remoteId: t`Id`,
  requestKey: t`Idempotency key`,
  model: t`Model`,
  units: t`Units`,
  currency: t`Currency`,
};

/** The role of a column, as one value of a choice. */
export type ColumnChoice = Exclude<ColumnRole, 'amount'> | AmountUnit | 'unused';

export const columnOptions = (zone: string): { value: ColumnChoice; label: string }[] => [
  ...(Object.entries(ROLE_WORDS) as [Exclude<ColumnRole, 'amount'>, string][]).map(([value, label]) => ({
    value,
    label: value === 'at' && zone !== '' ? `${label}, ${zone}` : label,
  })),
  ...(Object.entries(UNIT_WORDS) as [AmountUnit, string][]).map(([value, label]) => ({ value, label })),
  { value: 'unused', label: t`Not used` },
];

/** `UTC +1`. */
export function zoneWords(minutes: number | undefined, isAssumed: boolean): string {
  if (minutes === undefined) return isAssumed ? 'UTC' : t`As stated`;
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return t`UTC ${minutes < 0 ? '−' : '+'}${rest === 0 ? hours : `${hours}:${rest}`}`;
}

/** The finding about a line, in one sentence. */
export function findingWords({ finding, uncertainNano = 0, ledgerNano = 0, ledgerLowNano }: StatementLine): string {
  if (finding?.isEntered) return t`May be entered already from another export`;
  switch (finding?.type) {
    case 'doubt':
      return ledgerNano > 0
        ? t`${formatNano(uncertainNano)} more of its job is unconfirmed`
        : t`Fits an unconfirmed job of ${formatNano(uncertainNano)}, ${Math.round((finding.apartMs ?? 0) / 1_000)} s apart`;
    case 'twice':
      return t`Bills a job twice`;
    case 'refund':
      return t`Refund for a job charged here`;
    case 'several':
      return t`Fits ${counted(finding.count ?? 0, 'unconfirmed job')} equally`;
    case 'otherProfile':
      return t`Made with ${finding.profile ?? t`Removed gateway`} and charged there`;
    case 'zone':
      return t`Choose the time zone to match lines by time.`;
    case 'unknown':
      return finding.isBilled ? t`May bill a job twice` : t`No job of this model and amount within 5 min`;
    case 'unsure':
      return t`Perhaps on another bill, or on a line without a job`;
    case 'inDoubt':
      return t`Unconfirmed, not on the bill`;
    case 'notBilled':
      return t`Charged here, not on the bill`;
    case 'running':
      return t`The job is not done.`;
    case 'noReading':
      return ledgerLowNano === undefined
        ? t`Charged at ${formatNano(ledgerNano)}`
        : t`Matches neither ${formatNano(ledgerLowNano)} nor ${formatNano(ledgerNano)}`;
    default:
      return '';
  }
}

export interface Way {
  label: string;
  as: 'adopt' | 'keep';
}

const keep = (label: string): Way => ({ label, as: 'keep' });
const adopt = (label: string): Way => ({ label, as: 'adopt' });

/** The options for a line, the likeliest first. */
export function waysOf(group: OpenGroup, line: StatementLine): Way[] {
  if (group === 'onlyBill') return waysOfBill(line);
  if (group === 'onlyLedger') return waysOfLedger(line);
  const kept = keep(t`Keep as it is`);
  return line.finding?.type === 'running' ? [kept] : [adopt(t`Use billed amount`), kept];
}

function waysOfLedger({ id, finding, ledgerNano = 0 }: StatementLine): Way[] {
  if (finding?.type === 'running') return [keep(t`Wait`)];
  const isDoubt = id.startsWith('d:');
  const take = adopt(`${isDoubt ? t`Release` : t`Deduct`} ${formatNano(ledgerNano)}`);
  const kept = keep(isDoubt ? t`Keep unconfirmed` : t`Keep`);
  return finding?.type === 'inDoubt' ? [take, kept] : [kept, take];
}

function waysOfBill({ finding, billNano = 0 }: StatementLine): Way[] {
  const foreign = keep(t`Not from Dailies`);
  const enter = adopt(t`Record ${formatNano(billNano)}`);
  const unlessEntered = (ways: Way[]): Way[] => (finding?.isEntered ? ways.reverse() : ways);
  switch (finding?.type) {
    case 'doubt':
      return unlessEntered([adopt(t`Match, confirms ${formatNano(billNano)}`), foreign]);
    case 'twice':
      return [keep(t`Keep and ask the gateway`), enter];
    case 'refund':
      return unlessEntered([enter, keep(t`Keep as it is`)]);
    case 'otherProfile':
    case 'zone':
      return [foreign];
    default:
      return billNano < 0 ? [foreign] : [foreign, enter];
  }
}

/** A job that the line may belong to. An amount of 0 is left out, since the price may just not be known. */
export const candidateWords = ({ model = t`Job`, at, ledgerNano = 0 }: StatementLine): string =>
  [model, formatStamp(at), ...(ledgerNano === 0 ? [] : [formatNano(ledgerNano)])].join(', ');
