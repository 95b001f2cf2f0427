import type { CallParsed, Handlers } from '../../shared/contract.ts';
import type { PriceMismatch } from '../../shared/ledger.ts';
import { DEFAULT_PRICES, type Price } from '../../shared/price.ts';
import type { PricePreview } from '../../shared/priceList.ts';
import type { Profile } from '../../shared/profile.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { priceChanged } from './jobs/index.ts';
import { previewImport, pricesFromImport } from './ledger/index.ts';
import type { Modules } from './modules.ts';

type PriceCalls = Pick<
  Handlers,
  | 'prices.list'
  | 'prices.set'
  | 'prices.preview'
  | 'prices.import'
  | 'prices.mismatches'
  | 'prices.mismatch'
  | 'prices.resolveMismatch'
>;
type Changed = ReturnType<Modules['prices']['set']>;

const noSuchProfile = fail('not_found', 'profileId: there is no such profile.', { field: 'profileId' });
const MAX_ENTRIES = 500;

/** The price book: listed, set manually, and imported from the list that a service publishes, after a preview. */
export function priceHandlers(modules: Modules): PriceCalls {
  const { profiles, prices, ports } = modules;
  const previews = new Map<string, PricePreview>();
  const profileOf = (id: string | undefined) => (id === undefined ? profiles.active() : profiles.get(id));
  return {
    'prices.list': ({ profileId }) => {
      const profile = profileOf(profileId);
      return profile ? ok({ prices: bookOf(profile.prices) }) : noSuchProfile;
    },
    'prices.set': ({ profileId, price }) => {
      const profile = profileOf(profileId);
      if (!profile) return noSuchProfile;
      const refusal = invalidPrice(price) ?? prices.limitError(profile, [price], 'manual');
      if (refusal) return refusal;
      const book = emitPriceChange(modules, prices.set(profile, [price], 'manual'));
      adoptOpenMismatches(modules, profile.id, price);
      return ok({ prices: bookOf(book) });
    },
    'prices.mismatches': () => ok({ mismatches: modules.engine.priceMismatches.list() }),
    'prices.mismatch': ({ id }) => {
      const evidence = modules.engine.priceMismatches.evidence(id);
      return evidence ? ok(evidence) : fail('not_found', 'id: there is no such mismatch.', { field: 'id' });
    },
    'prices.resolveMismatch': (input) => resolveMismatch(modules, input),
    'prices.preview': async ({ profileId }) => {
      const profile = profileOf(profileId);
      const opened = profile && (await profiles.openClient(profile.id, { allowNoKey: true }));
      if (!profile || opened?.status !== 'ready') return noSuchProfile;
      const listed = await opened.client.listPrices();
      if (listed.type === 'none') return fail('not_found', 'This service publishes no prices that Dailies can read.');
      if (listed.type === 'unreachable')
        return fail('unreachable', `The prices could not be read: ${listed.error.message}`);
      const preview = previewImport(profile, listed, ports.ids.id('prices'), ports.clock.now());
      previews.set(profile.id, preview);
      return ok(preview);
    },
    'prices.import': ({ profileId, previewId, chosen }) => {
      const profile = profileOf(profileId);
      if (!profile) return noSuchProfile;
      const preview = previews.get(profile.id);
      if (preview?.id !== previewId)
        return fail('conflict', 'The list was read again since it was shown: look at it once more.');
      const entries = pricesFromImport(preview, chosen);
      if (!entries.ok) return entries;
      if (profile.prices.length + entries.data.length > MAX_ENTRIES)
        return fail('invalid_input', `chosen: the price book holds at most ${MAX_ENTRIES} entries.`, {
          field: 'chosen',
        });
      const refusal = prices.limitError(profile, entries.data, 'import');
      return refusal ?? ok({ prices: bookOf(emitPriceChange(modules, prices.set(profile, entries.data, 'import'))) });
    },
  };
}

/** Setting the price that blocks requests is a decision: they continue at that price. A dispute ends only by its own calls. */
function adoptOpenMismatches(modules: Modules, profileId: string, { kind, model }: Price): void {
  const { priceMismatches } = modules.engine;
  const isOfPrice = (found: PriceMismatch) =>
    found.state === 'open' && found.profileId === profileId && found.kind === kind && found.model === model;
  for (const { id } of priceMismatches.list().filter(isOfPrice)) priceMismatches.resolve(id, 'adopt');
}

/** The stated cost becomes the price first, so that waiting jobs are estimated at it before they go on. */
function resolveMismatch(
  modules: Modules,
  { id, as, shown }: CallParsed<'prices.resolveMismatch'>,
): Result<PriceMismatch> {
  const { engine, profiles, prices, bus } = modules;
  const mismatch = engine.priceMismatches.get(id);
  const isStopping = mismatch?.state === 'open' || mismatch?.state === 'disputed';
  if (isStopping && as !== 'dispute' && !mismatch.adopts)
    return fail('wrong_state', 'No price can be made of what was stated: set one in Spend.');
  if (isStopping && as !== 'dispute') {
    const { thenNano } = mismatch.waiting;
    const changed = priceChanged(shown, { estimateNano: thenNano, lowNano: thenNano, unpriced: 0 });
    if (changed) return changed;
  }
  if (isStopping && as === 'adopt' && mismatch.adopts) {
    const profile = profiles.get(mismatch.profileId);
    if (!profile) return noSuchProfile;
    const refusal = prices.limitError(profile, [mismatch.adopts], 'import');
    if (refusal) return refusal;
    emitPriceChange(modules, prices.set(profile, [mismatch.adopts], 'import'));
  }
  const resolved = engine.priceMismatches.resolve(id, as);
  if (!resolved.ok) return resolved;
  bus.emit({ type: 'ledger.changed' });
  return resolved;
}

/** Prices saved with a profile are applied like those set one by one. */
export function savePrices(modules: Modules, before: Profile | undefined, given: Price[] | undefined): void {
  const { profiles, prices } = modules;
  const profile = before && profiles.get(before.id);
  if (!profile || !given || JSON.stringify(given) === JSON.stringify(profile.prices)) return;
  emitPriceChange(modules, prices.replace(profile, given, 'manual'));
}

/** The error for the first invalid price of a profile: its settled interpretation does not exist, or its cost is too large to count. */
export function invalidPrices(
  { profiles, prices }: Modules,
  input: CallParsed<'profiles.save'>,
): Result<never> | undefined {
  const given = input.prices ?? [];
  const known = input.id === undefined ? undefined : profiles.get(input.id);
  const refusals = given.map(invalidPrice).find((refusal) => refusal !== undefined);
  return refusals ?? (known && prices.limitError(known, given, 'manual'));
}

function invalidPrice(price: Price): Result<never> | undefined {
  if (price.settledReading === null || price.settledReading < price.readings.length) return undefined;
  return fail('invalid_input', 'price.settledReading: must be the number of one of the readings.', {
    field: 'price.settledReading',
  });
}

/** Emits the change, and tells the user about waiting jobs whose cost changed. */
function emitPriceChange({ bus, engine }: Modules, changed: Changed): Price[] {
  engine.commands.announce(changed.jobIds);
  bus.emit({ type: 'profiles.changed' });
  bus.emit({ type: 'ledger.changed' });
  if (changed.notice) bus.emit({ type: 'notice', level: 'info', text: changed.notice });
  return changed.prices;
}

/** The profile's own entries, and the specification's defaults for the rest. */
function bookOf(own: readonly Price[]): Price[] {
  const rest = DEFAULT_PRICES.filter(
    (price) => !own.some((entry) => entry.kind === price.kind && entry.model === price.model),
  );
  return [...own, ...rest];
}
