import type { CallParsed, Handlers } from '../../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import { pricingOf } from '../../../../shared/kinds/index.ts';
import { PRICINGS, type PriceKind } from '../../../../shared/kinds/pricings.ts';
import type { Estimate, MismatchEvidence, PriceMismatch, ShownPrice } from '../../../../shared/money/ledger.ts';
import { formatNanoRange, MAX_NANO, sumNano } from '../../../../shared/money/money.ts';
import {
  costOf,
  DEFAULT_PRICES,
  OWN_SOURCE,
  openInterpretations,
  type Price,
  type PriceInterpretation,
  priceFor,
} from '../../../../shared/money/price.ts';
import type { PriceChange, PricePreview } from '../../../../shared/money/priceList.ts';
import type { Quantity } from '../../../../shared/money/quantity.ts';
import { en } from '../../../../shared/text/texts.ts';
import { imageFamily } from '../../../../shared/wire/families/index.ts';
import { protocolsOf } from '../../../../shared/wire/protocols.ts';
import type { Clock, Ids } from '../../ports.ts';
import { type KeyedCall, keyedCall } from '../../requestKeys/index.ts';
import { dayOf } from '../moneyRow.ts';
import type { PriceBook } from './priceBook.ts';

type PriceHandlers = Pick<
  Handlers,
  | 'prices.list'
  | 'prices.set'
  | 'prices.preview'
  | 'prices.import'
  | 'prices.mismatches'
  | 'prices.mismatch'
  | 'prices.resolveMismatch'
>;
type Changed = ReturnType<PriceBook['set']>;

export const noSuchProfile = fail('not_found', 'profileId: there is no such gateway.', { field: 'profileId' });

interface PriceCallDeps {
  prices: Pick<
    PriceBook,
    'set' | 'replace' | 'reestimate' | 'noteLimits' | 'isOwed' | 'limitError' | 'costError' | 'outputError'
  >;
  profiles: { active(): Profile; get(id: string): Profile | undefined };
  /** The gateway's published list; undefined if the profile has no client. */
  listPrices(profileId: string): Promise<ListedPrices | undefined>;
  mismatches: {
    list(): PriceMismatch[];
    get(id: string): PriceMismatch | undefined;
    evidence(id: string): MismatchEvidence | undefined;
    /** Once per key, if one is given. */
    resolve(id: string, as: CallParsed<'prices.resolveMismatch'>['as'], call?: KeyedCall): Result<PriceMismatch>;
  };
  /** Announces queued jobs whose estimates have changed. */
  announce(): void;
  emit(event: StudioEvent): void;
  ids: Ids;
  clock: Clock;
}

type ListedPrices =
  | ({ type: 'listed' } & PublishedPrices)
  | { type: 'none' }
  | { type: 'unreachable'; error: { message: string } };

/** The calls of the price book: list, set, import, and decisions about mismatches. */
export class PriceCalls {
  private readonly deps: PriceCallDeps;
  private readonly previews = new Map<string, PricePreview>();

  constructor(deps: PriceCallDeps) {
    this.deps = deps;
  }

  handlers(): PriceHandlers {
    return {
      'prices.list': ({ profileId }) => {
        const profile = this.profileOf(profileId);
        return profile ? ok({ prices: bookOf(profile.prices) }) : noSuchProfile;
      },
      'prices.set': ({ profileId, price }) => {
        const profile = this.profileOf(profileId);
        if (!profile) return noSuchProfile;
        const refusal = invalidPrice(price) ?? this.deps.prices.limitError(profile, [price], 'manual');
        if (refusal) return refusal;
        const book = this.emitPriceChange(this.deps.prices.set(profile, [price], 'manual'));
        this.adoptOpenMismatches(profile.id, price);
        return ok({ prices: bookOf(book) });
      },
      'prices.mismatches': () => ok({ mismatches: this.deps.mismatches.list() }),
      'prices.mismatch': ({ id }) => {
        const evidence = this.deps.mismatches.evidence(id);
        return evidence ? ok(evidence) : fail('not_found', 'id: there is no such mismatch.', { field: 'id' });
      },
      'prices.resolveMismatch': (input) => this.resolveMismatch(input),
      'prices.preview': async ({ profileId }) => {
        const profile = this.profileOf(profileId);
        const listed = profile && (await this.deps.listPrices(profile.id));
        if (!profile || !listed) return noSuchProfile;
        if (listed.type === 'none')
          return fail('not_found', en`This gateway publishes no prices that Dailies can read.`);
        if (listed.type === 'unreachable')
          return fail('unreachable', en`The prices could not be read: ${listed.error.message}`);
        const preview = previewImport(profile, listed, this.deps.ids.id('prices'), this.deps.clock.now());
        this.previews.set(profile.id, preview);
        return ok(preview);
      },
      'prices.import': ({ profileId, previewId, chosen }) => {
        const profile = this.profileOf(profileId);
        if (!profile) return noSuchProfile;
        const preview = this.previews.get(profile.id);
        if (preview?.id !== previewId)
          return fail('conflict', en`The list was read again since it was shown: look at it once more.`);
        const entries = pricesFromImport(preview, chosen);
        if (!entries.ok) return entries;
        const refusal = this.deps.prices.limitError(profile, entries.data, 'import');
        return (
          refusal ?? ok({ prices: bookOf(this.emitPriceChange(this.deps.prices.set(profile, entries.data, 'import'))) })
        );
      },
    };
  }

  private profileOf(id: string | undefined): Profile | undefined {
    const { profiles } = this.deps;
    return id === undefined ? profiles.active() : profiles.get(id);
  }

  /** The profile before a save. Queued jobs will follow its new limits, even after a crash. */
  beforeSave({ id, limits }: CallParsed<'profiles.save'>): Profile | undefined {
    const { profiles, prices } = this.deps;
    const before = id === undefined ? undefined : profiles.get(id);
    const outputTokens = limits?.outputTokens ?? before?.limits.outputTokens;
    if (before && outputTokens !== before.limits.outputTokens) prices.noteLimits(before.id);
    return before;
  }

  /** Prices saved with a profile are applied like those set one by one, and queued jobs follow its limits. */
  savePrices(before: Profile | undefined, given: Price[] | undefined): void {
    const { profiles, prices } = this.deps;
    const profile = before && profiles.get(before.id);
    if (!profile) return;
    if (prices.isOwed(profile)) this.emitPriceChange(prices.reestimate(profile));
    if (!given || JSON.stringify(given) === JSON.stringify(profile.prices)) return;
    this.emitPriceChange(prices.replace(profile, given, 'manual'));
  }

  /**
   * The error for the first invalid price of a profile: its settled interpretation does not exist, or a job would cost too much, also at the
   * profile's limits.
   */
  invalidPrices(input: CallParsed<'profiles.save'>): Result<never> | undefined {
    const { profiles, prices } = this.deps;
    const { prices: given, limits } = input;
    const known = input.id === undefined ? undefined : profiles.get(input.id);
    const tooMuch = known && this.outputError(known, limits?.outputTokens);
    if (tooMuch || !given) return tooMuch;
    const refusals = given.map(invalidPrice).find((refusal) => refusal !== undefined);
    return refusals ?? (known && prices.costError(known, given, 'manual'));
  }

  private outputError(known: Profile, outputTokens: number | undefined): Result<never> | undefined {
    if (outputTokens === undefined || outputTokens === known.limits.outputTokens) return undefined;
    return this.deps.prices.outputError({ ...known, limits: { ...known.limits, outputTokens } });
  }

  /** Setting the price that blocks requests is a decision: they continue at that price. A dispute ends only by its own calls. */
  private adoptOpenMismatches(profileId: string, { kind, model }: Price): void {
    const { mismatches } = this.deps;
    const isOfPrice = (found: PriceMismatch) =>
      found.state === 'open' && found.profileId === profileId && found.kind === kind && found.model === model;
    for (const { id } of mismatches.list().filter(isOfPrice)) mismatches.resolve(id, 'adopt');
  }

  private resolveMismatch(input: CallParsed<'prices.resolveMismatch'>): Result<PriceMismatch> {
    const { mismatches, emit } = this.deps;
    const call = keyedCall('prices.resolveMismatch', input);
    const mismatch = mismatches.get(input.id);
    const isStopping = mismatch?.state === 'open' || mismatch?.state === 'disputed';
    const refusal = isStopping && input.as !== 'dispute' ? this.prepareRelease(mismatch, input) : undefined;
    if (refusal) return refusal;
    const resolved = mismatches.resolve(input.id, input.as, call);
    if (!resolved.ok) return resolved;
    emit({ type: 'ledger.changed' });
    return resolved;
  }

  /** Unless the book allows it, an adopted cost first becomes the price, at which queued jobs are estimated before they go on. */
  private prepareRelease(
    { adopts, keeps, profileId, waiting }: PriceMismatch,
    { as, shown }: CallParsed<'prices.resolveMismatch'>,
  ): Result<never> | undefined {
    const { profiles, prices } = this.deps;
    if (!adopts && !keeps) return fail('wrong_state', en`No price can be made of what was stated: set one in Spend.`);
    const { thenNano } = waiting;
    const changed = priceChanged(shown, { estimateNano: thenNano, lowNano: thenNano, unpriced: 0 });
    if (changed || as !== 'adopt' || !adopts) return changed;
    const profile = profiles.get(profileId);
    if (!profile) return noSuchProfile;
    const refusal = prices.limitError(profile, [adopts], 'import');
    if (!refusal) this.emitPriceChange(prices.set(profile, [adopts], 'import'));
    return refusal;
  }

  /** Emits the change, and tells the user about queued jobs whose cost changed. */
  private emitPriceChange(changed: Changed): Price[] {
    const { announce, emit } = this.deps;
    announce();
    emit({ type: 'profiles.changed' });
    emit({ type: 'ledger.changed' });
    if (changed.notice) emit({ type: 'notice', level: 'info', text: changed.notice });
    return changed.prices;
  }
}

function invalidPrice(price: Price): Result<never> | undefined {
  if (price.settledReading === null || price.settledReading < price.readings.length) return undefined;
  return fail('invalid_input', 'price.settledReading: must be the number of one of the readings.', {
    field: 'price.settledReading',
  });
}

/** The profile's own entries, and defaults for the rest. */
function bookOf(own: readonly Price[]): Price[] {
  const rest = DEFAULT_PRICES.filter(
    (price) => !own.some((entry) => entry.kind === price.kind && entry.model === price.model),
  );
  return [...own, ...rest];
}

/** The price of one request, as shown on the button that sends it. */
export const shownPriceOf = ({
  nano,
  lowNano,
  unpriced,
}: Pick<Estimate, 'nano' | 'lowNano' | 'unpriced'>): ShownPrice => ({
  estimateNano: nano,
  lowNano,
  unpriced: unpriced ? 1 : 0,
});

/** The total cost of several requests. */
export function sumOfPrices(prices: readonly ShownPrice[]): ShownPrice {
  const sum = (key: keyof ShownPrice) => sumNano(prices.map((price) => price[key])) ?? MAX_NANO;
  return { estimateNano: sum('estimateNano'), lowNano: sum('lowNano'), unpriced: sum('unpriced') };
}

/** The error if the present price is not the one that was shown. */
export function priceChanged(shown: ShownPrice | undefined, ...prices: ShownPrice[]): Result<never> | undefined {
  if (!shown) return undefined;
  const now = sumOfPrices(prices);
  if (sumKeys.every((key) => shown[key] === now[key])) return undefined;
  const message = en`The price is ${priceText(now)} by now; ${priceText(shown)} was shown.`;
  return fail('conflict', message, { field: 'shown', ...now });
}

const sumKeys = ['estimateNano', 'lowNano', 'unpriced'] as const;

const priceText = ({ estimateNano, lowNano, unpriced }: ShownPrice): string =>
  unpriced > 0 ? 'not known' : formatNanoRange(lowNano, estimateNano);

interface PublishedPrices {
  from: string;
  prices: { model: string; kind: PriceKind; readings: PriceInterpretation[] }[];
  refused: { model: string; why: string }[];
}

/** More would not fit into one message between processes. */
const MAX_SHOWN = 300;
const MAX_INTERPRETATIONS = 4;

/** Compares a published list with the price book. */
export function previewImport(profile: Profile, listed: PublishedPrices, id: string, at: number): PricePreview {
  const source = `imported from ${listed.from} on ${dayOf(at)}`.slice(0, 300);
  const changes = listed.prices
    .map((price) => ({ ...changeOf(profile, price, source), used: isUsed(profile, price, listed.prices) }))
    .sort(byUse);
  const refused = listed.refused.slice(0, MAX_SHOWN);
  const left = changes.length + listed.refused.length - Math.min(changes.length, MAX_SHOWN) - refused.length;
  return { id, from: listed.from, at, changes: changes.slice(0, MAX_SHOWN), refused, left };
}

type ListedPrice = PublishedPrices['prices'][number];

/**
 * Whether a listed price may apply to a job of the profile: the profile has that model. Requests without a model have one price,
 * recognizable only if it is the only one of its kind.
 */
function isUsed({ models }: Profile, { kind, model }: ListedPrice, all: readonly ListedPrice[]): boolean {
  if (models.some((known) => known.kind === kind && known.id === model)) return true;
  return !pricingOf(kind).byModel && all.every((other) => other.kind !== kind || other.model === model);
}

function changeOf(profile: Profile, listed: ListedPrice, source: string): Omit<PriceChange, 'used'> {
  const { kind, readings } = listed;
  const isNamed =
    pricingOf(kind).byModel || (kind === PRICINGS.image.name && imageFamily(protocolsOf(profile).image) !== undefined);
  const model = isNamed ? listed.model : '*';
  const now = priceFor(profile.prices, kind, model) ?? null;
  const next: Price = { kind, model, readings, settledReading: null, source };
  const own = profile.prices.find((price) => price.kind === kind && price.model === model);
  const yours = own !== undefined && (own.settledReading !== null || own.source === OWN_SOURCE);
  return { kind, listed: listed.model, now, next, change: difference(now, next), yours };
}

/** A sample that makes interpretations in different units comparable: an eight-second clip, a million tokens each way, a picture. */
const EXAMPLE: Quantity = Object.assign({}, ...Object.values(PRICINGS).map(({ example }) => example.quantity));
/** The same with cached input, for interpretations that differ in nothing else. */
const EXAMPLE_OF_CACHE: Quantity = { ...EXAMPLE, cachedTokens: 250_000, cacheWriteTokens: 250_000 };

function difference(now: Price | null, next: Price): PriceChange['change'] {
  if (now === null) return 'new';
  if (JSON.stringify(openInterpretations(now)) === JSON.stringify(openInterpretations(next))) return 'same';
  const costs = [EXAMPLE, EXAMPLE_OF_CACHE].map((quantity) => [costOf(next, quantity), costOf(now, quantity)] as const);
  // With fewer interpretations than before, the lowest price says nothing: one of them was settled.
  const areAsMany = openInterpretations(now).length === openInterpretations(next).length;
  const apart = [
    ...costs.map(([after, before]) => after.nano - before.nano),
    ...(areAsMany ? costs.map(([after, before]) => after.lowNano - before.lowNano) : []),
  ].find((nano) => nano !== 0);
  if (apart === undefined) return 'other';
  return apart > 0 ? 'dearer' : 'cheaper';
}

/** A price for requests that name no model may apply whatever its name, so a long list keeps it. */
const rank = ({ kind, used, change }: PriceChange): number =>
  (used ? 0 : pricingOf(kind).byModel ? 4 : 2) + (change === 'same' ? 1 : 0);
const byUse = (a: PriceChange, b: PriceChange): number => rank(a) - rank(b) || a.listed.localeCompare(b.listed);

interface Choice {
  kind: PriceKind;
  listed: string;
}

/**
 * The entries for the chosen prices of a preview, as shown. Several that form one entry (pictures of several modes) become interpretations:
 * the highest is reserved until the user settles the price.
 */
export function pricesFromImport(preview: PricePreview, chosen: readonly Choice[]): Result<Price[]> {
  const entries: Price[] = [];
  for (const { kind, listed } of chosen) {
    const change = preview.changes.find((shown) => shown.kind === kind && shown.listed === listed);
    if (!change) return fail('invalid_input', en`chosen: ${listed} is not in the list.`, { field: 'chosen' });
    const { next } = change;
    const known = entries.find((entry) => entry.kind === next.kind && entry.model === next.model);
    if (!known) entries.push({ ...next });
    else known.readings = mergeInterpretations(known, next.readings);
  }
  return ok(entries);
}

function mergeInterpretations(known: Price, more: readonly PriceInterpretation[]): PriceInterpretation[] {
  const texts = new Set([...known.readings, ...more].map((reading) => JSON.stringify(reading)));
  const readings = [...texts].map((text) => JSON.parse(text) as PriceInterpretation);
  if (readings.length <= MAX_INTERPRETATIONS) return readings;
  const cost = (reading: PriceInterpretation) =>
    costOf({ ...known, readings: [reading], settledReading: null }, EXAMPLE).nano;
  const sorted = readings.sort((a, b) => cost(a) - cost(b));
  return [sorted[0], sorted.at(-1)].filter((reading) => reading !== undefined);
}
