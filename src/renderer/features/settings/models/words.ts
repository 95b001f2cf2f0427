import type { ModelEntry } from '../../../../shared/gateway/modelCalls.ts';
import type { FactName, ModelFacts } from '../../../../shared/gateway/modelFacts.ts';
import { allKinds } from '../../../../shared/kinds/index.ts';
import { formatNano, formatNanoRange } from '../../../../shared/money/money.ts';
import { openInterpretations, type Price, perMillionTokens } from '../../../../shared/money/price.ts';
import { formatLocale, t } from '../../../../shared/text/texts.ts';
import { UNIT_WORDS } from '../../../spending/index.ts';
import { formatCount, formatUtcDay, listBox, plural } from '../../../ui/index.ts';

/** What is known of models in words. */

const DAY_MS = 86_400_000;
const utc = { timeZone: 'UTC' } as const;
const weekday = new Intl.DateTimeFormat(formatLocale(), { ...utc, weekday: 'short' });
const clock = new Intl.DateTimeFormat(formatLocale(), { ...utc, hour: '2-digit', minute: '2-digit' });

/** `Tue 1 Dec, 00:00 UTC`. */
export const endMoment = (at: number, now: number): string =>
  t`${weekday.format(at)} ${formatUtcDay(at, now)}, ${clock.format(at)} UTC`;

/** `10 days`, `18 h`. */
export function timeLeft(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return 'ended';
  return left < 2 * DAY_MS
    ? `${Math.max(1, Math.floor(left / 3_600_000))} h`
    : plural(Math.floor(left / DAY_MS), 'day');
}

/** Whether models of this kind make clips, which have frames, sound and lengths. */
export const makesClips = ({ kind }: Pick<ModelEntry, 'kind'>): boolean =>
  allKinds().some(({ pricing, makes }) => pricing.name === kind && makes === 'video');

/** Whether they make files, which may follow other pictures. */
const makesFiles = ({ kind }: Pick<ModelEntry, 'kind'>): boolean =>
  allKinds().some(({ pricing, makes }) => pricing.name === kind && makes !== 'text');

const OF_CLIPS: ReadonlySet<FactName> = new Set(['first', 'last', 'extend', 'sound', 'seconds', 'sizes', 'variations']);
const OF_WORDS: ReadonlySet<FactName> = new Set(['tools', 'pictures', 'contextTokens', 'outputTokens']);

/** Whether models of this kind have such a fact. */
export function isAbout(name: FactName, model: ModelEntry): boolean {
  if (OF_CLIPS.has(name)) return makesClips(model);
  if (name === 'references') return makesFiles(model);
  return OF_WORDS.has(name) ? !makesClips(model) : true;
}

const tokens = (count: number): string =>
  count < 1_000 ? formatCount(count) : `${formatCount(Math.round(count / 1_000))} k`;

/** `4 6 8 s, 1080p`, `128 k`; empty where nothing of it is stated. */
export function sizeWords({ seconds, sizes, contextTokens, outputTokens }: ModelFacts): string {
  return [
    seconds && `${seconds.join(' ')} s`,
    sizes?.join(' '),
    contextTokens !== undefined && tokens(contextTokens),
    outputTokens !== undefined && t`${tokens(outputTokens)} out`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The price of a model, and for what: `$0.40`, `unit not stated`. */
export function priceWords(price: Price | undefined): { price: string; unit: string; isOpen: boolean } {
  if (!price) return { price: t`not known`, unit: '', isOpen: false };
  const open = openInterpretations(price);
  const isOpen = open.length > 1;
  const token = open.flatMap((reading) => (reading.unit === 'token' ? [perMillionTokens(reading)] : []));
  if (token.length > 0) {
    const most = (of: 'inputNano' | 'outputNano') => Math.max(...token.map((each) => each[of]));
    const words = `${formatNano(most('inputNano'))}, ${formatNano(most('outputNano')).slice(1)}`;
    return { price: words, unit: isOpen ? plural(open.length, 'listing') : t`a million`, isOpen };
  }
  const amounts = open.map((reading) => ('nano' in reading ? reading.nano : 0));
  const [first, ...others] = new Set(open.map((reading) => reading.unit));
  const unit = !first || others.length > 0 ? t`unit not stated` : UNIT_WORDS[first];
  return { price: formatNanoRange(Math.min(...amounts), Math.max(...amounts)), unit, isOpen };
}

/** What makes a table a list of which one row is chosen. */
export const choosingRows = (ids: readonly string[], chosen: string | undefined, onChoose: (id: string) => void) => ({
  role: 'grid',
  ...listBox({ ids, chosen, onChoose, elementId: rowId }),
});

/** One of these rows. */
export const choosingRow = (id: string, isChosen: boolean, onChoose: (id: string) => void) => ({
  id: rowId(id),
  'aria-selected': isChosen,
  className: isChosen ? 'sel' : undefined,
  onClick: () => onChoose(id),
});

const rowId = (id: string): string => `row-${id}`;
