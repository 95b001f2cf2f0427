import type { ModelEntry } from '../../../../shared/gateway/modelCalls.ts';
import { type FactName, MODEL_FACTS } from '../../../../shared/gateway/modelFacts.ts';
import { allKinds } from '../../../../shared/kinds/index.ts';
import { openInterpretations, type Price } from '../../../../shared/money/price.ts';
import { counted, formatLocale, t } from '../../../../shared/text/texts.ts';
import { wordsOfReading } from '../../../spending/index.ts';
import { formatCount, formatUtcDay, plural } from '../../../ui/index.ts';

/** Facts about models, as text. */

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
  if (left <= 0) return t`Ended`;
  return left < 2 * DAY_MS
    ? `${Math.max(1, Math.floor(left / 3_600_000))} h`
    : plural(Math.floor(left / DAY_MS), 'day');
}

/** Whether models of this kind make clips, which have frames, sound and lengths. */
export const makesClips = ({ kind }: Pick<ModelEntry, 'kind'>): boolean =>
  allKinds().some(({ pricing, makes }) => pricing.name === kind && makes === 'video');

/** Whether models of this kind make files, which may use reference images. */
const makesFiles = ({ kind }: Pick<ModelEntry, 'kind'>): boolean =>
  allKinds().some(({ pricing, makes }) => pricing.name === kind && makes !== 'text');

const OF_CLIPS: readonly FactName[] = ['first', 'last', 'extend', 'sound', 'seconds', 'sizes', 'variations'];
const OF_WORDS: readonly FactName[] = ['tools', 'pictures', 'contextTokens', 'outputTokens'];

/** Whether the fact applies to models of this kind. */
export function isAbout(name: FactName, model: ModelEntry): boolean {
  if (OF_CLIPS.includes(name)) return makesClips(model);
  if (name === 'references') return makesFiles(model);
  return OF_WORDS.includes(name) ? !makesClips(model) : true;
}

const tokens = (count: number): string =>
  count < 1_000 ? formatCount(count) : `${formatCount(Math.round(count / 1_000))} k`;

const FLAGS = ['first', 'last', 'extend', 'sound', 'tools', 'pictures'] as const;

/**
 * `First frame, 4 6 8 s, 1080p. Not: Sound`: the stated facts of a model. A fact that nobody states is left out, and does not count as a
 * no.
 */
export function factsWords(model: ModelEntry): string {
  const { references, seconds, sizes, contextTokens, outputTokens } = model;
  const flags = (value: boolean) =>
    FLAGS.filter((name) => isAbout(name, model) && model[name] === value).map((name) => MODEL_FACTS[name].label);
  const can = [
    ...flags(true),
    references !== undefined && t`${counted(references, 'reference')}`,
    seconds && `${seconds.join(' ')} s`,
    sizes?.join(' '),
    contextTokens !== undefined && tokens(contextTokens),
    outputTokens !== undefined && t`${tokens(outputTokens)} out`,
  ];
  const cannot = flags(false).join(', ');
  return [can.filter(Boolean).join(', '), cannot && t`Without: ${cannot}`].filter(Boolean).join('. ');
}

/** All possible interpretations of a model's price. */
export function priceWords(price: Price | undefined): { words: string; isOpen: boolean } {
  const open = price ? openInterpretations(price) : [];
  return { words: open.map(wordsOfReading).join(' / ') || t`No price set`, isOpen: open.length > 1 };
}
