import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { Estimate, MismatchEvidence, PriceMismatch, ShownPrice } from '../../../shared/money/ledger.ts';
import { formatNanoRange, MAX_NANO, sumNano } from '../../../shared/money/money.ts';
import { DEFAULT_PRICES, type Price } from '../../../shared/money/price.ts';
import type { PricePreview } from '../../../shared/money/priceList.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Clock, Ids } from '../ports.ts';
import { type KeyedCall, keyedCall } from '../requestKeys/index.ts';
import type { PriceBook } from './priceBook.ts';
import { type PublishedPrices, previewImport, pricesFromImport } from './priceImport.ts';

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

const noSuchProfile = fail('not_found', 'profileId: there is no such gateway.', { field: 'profileId' });

/** What the calls need of other modules. */
interface PriceCallDeps {
  prices: Pick<
    PriceBook,
    'set' | 'replace' | 'reestimate' | 'noteLimits' | 'isOwed' | 'limitError' | 'costError' | 'outputError'
  >;
  profiles: { active(): Profile; get(id: string): Profile | undefined };
  /** The list that the service of a profile publishes; undefined if the profile has no client. */
  listPrices(profileId: string): Promise<ListedPrices | undefined>;
  mismatches: {
    list(): PriceMismatch[];
    get(id: string): PriceMismatch | undefined;
    evidence(id: string): MismatchEvidence | undefined;
    /** Once for the key of the call, if one is given. */
    resolve(id: string, as: CallParsed<'prices.resolveMismatch'>['as'], call?: KeyedCall): Result<PriceMismatch>;
  };
  /** Announces waiting jobs whose estimates have changed. */
  announce(jobIds: string[]): void;
  emit(event: StudioEvent): void;
  ids: Ids;
  clock: Clock;
}

type ListedPrices =
  | ({ type: 'listed' } & PublishedPrices)
  | { type: 'none' }
  | { type: 'unreachable'; error: { message: string } };

/** The price book's calls: listed, set manually, imported from the list that a service publishes, and decided after a mismatch. */
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
          return fail('not_found', t`This gateway publishes no prices that Dailies can read.`);
        if (listed.type === 'unreachable')
          return fail('unreachable', t`The prices could not be read: ${listed.error.message}`);
        const preview = previewImport(profile, listed, this.deps.ids.id('prices'), this.deps.clock.now());
        this.previews.set(profile.id, preview);
        return ok(preview);
      },
      'prices.import': ({ profileId, previewId, chosen }) => {
        const profile = this.profileOf(profileId);
        if (!profile) return noSuchProfile;
        const preview = this.previews.get(profile.id);
        if (preview?.id !== previewId)
          return fail('conflict', t`The list was read again since it was shown: look at it once more.`);
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

  /** The profile as it is before a save. What waits is to follow its new limits, whatever comes in between. */
  beforeSave({ id, limits }: CallParsed<'profiles.save'>): Profile | undefined {
    const { profiles, prices } = this.deps;
    const before = id === undefined ? undefined : profiles.get(id);
    const outputTokens = limits?.outputTokens ?? before?.limits.outputTokens;
    if (before && outputTokens !== before.limits.outputTokens) prices.noteLimits(before.id);
    return before;
  }

  /** Prices saved with a profile are applied like those set one by one, and what waits follows its limits. */
  savePrices(before: Profile | undefined, given: Price[] | undefined): void {
    const { profiles, prices } = this.deps;
    const profile = before && profiles.get(before.id);
    if (!profile) return;
    if (prices.isOwed(profile)) this.emitPriceChange(prices.reestimate(profile));
    if (!given || JSON.stringify(given) === JSON.stringify(profile.prices)) return;
    this.emitPriceChange(prices.replace(profile, given, 'manual'));
  }

  /**
   * The error for the first invalid price of a profile: its settled interpretation does not exist, or its cost is too large to count. So may
   * be that of what waits at its limits.
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

  /** An adopted cost becomes the price first, unless that allows it: waiting jobs are estimated at it before they go on. */
  private prepareRelease(
    { adopts, keeps, profileId, waiting }: PriceMismatch,
    { as, shown }: CallParsed<'prices.resolveMismatch'>,
  ): Result<never> | undefined {
    const { profiles, prices } = this.deps;
    if (!adopts && !keeps) return fail('wrong_state', t`No price can be made of what was stated: set one in Spend.`);
    const { thenNano } = waiting;
    const changed = priceChanged(shown, { estimateNano: thenNano, lowNano: thenNano, unpriced: 0 });
    if (changed || as !== 'adopt' || !adopts) return changed;
    const profile = profiles.get(profileId);
    if (!profile) return noSuchProfile;
    const refusal = prices.limitError(profile, [adopts], 'import');
    if (!refusal) this.emitPriceChange(prices.set(profile, [adopts], 'import'));
    return refusal;
  }

  /** Emits the change, and tells the user about waiting jobs whose cost changed. */
  private emitPriceChange(changed: Changed): Price[] {
    const { announce, emit } = this.deps;
    announce(changed.jobIds);
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

/** The profile's own entries, and the specification's defaults for the rest. */
function bookOf(own: readonly Price[]): Price[] {
  const rest = DEFAULT_PRICES.filter(
    (price) => !own.some((entry) => entry.kind === price.kind && entry.model === price.model),
  );
  return [...own, ...rest];
}

/** The price of one request, as it is shown beside the button that sends it. */
export const shownPriceOf = ({
  nano,
  lowNano,
  unpriced,
}: Pick<Estimate, 'nano' | 'lowNano' | 'unpriced'>): ShownPrice => ({
  estimateNano: nano,
  lowNano,
  unpriced: unpriced ? 1 : 0,
});

/** The error if the present price of the requests is not the one that was shown to the user. */
export function priceChanged(shown: ShownPrice | undefined, ...prices: ShownPrice[]): Result<never> | undefined {
  if (!shown) return undefined;
  const sum = (key: keyof ShownPrice) => sumNano(prices.map((price) => price[key])) ?? MAX_NANO;
  const now = { estimateNano: sum('estimateNano'), lowNano: sum('lowNano'), unpriced: sum('unpriced') };
  if (sumKeys.every((key) => shown[key] === now[key])) return undefined;
  const message = t`The price is ${priceText(now)} by now; ${priceText(shown)} was shown.`;
  return fail('conflict', message, { field: 'shown', ...now });
}

const sumKeys = ['estimateNano', 'lowNano', 'unpriced'] as const;

const priceText = ({ estimateNano, lowNano, unpriced }: ShownPrice): string =>
  unpriced > 0 ? 'not known' : formatNanoRange(lowNano, estimateNano);
