import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { pricingOf } from '../../../shared/kinds/index.ts';
import { PRICINGS, type PriceKind } from '../../../shared/kinds/pricings.ts';
import {
  costOf,
  openInterpretations,
  type Price,
  type PriceInterpretation,
  priceFor,
} from '../../../shared/money/price.ts';
import type { PriceChange, PricePreview } from '../../../shared/money/priceList.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';
import { t } from '../../../shared/text/texts.ts';
import { imageFamily } from '../../../shared/wire/families/index.ts';
import { protocolsOf } from '../../../shared/wire/protocols.ts';
import { dayOf } from './moneyRow.ts';

/** A price list that a service published. */
export interface PublishedPrices {
  from: string;
  prices: { model: string; kind: PriceKind; readings: PriceInterpretation[] }[];
  refused: { model: string; why: string }[];
}

/** More would not fit into one message between processes. */
const MAX_SHOWN = 300;
const MAX_INTERPRETATIONS = 4;

/** Compares a published list with the price book: each present price, the new one, and whether the present one is the user's own. */
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
 * Whether a job of the profile may be billed at a listed price: the profile has that model. Requests without a model have one price, which
 * no name shows among those of many models; the only one of its kind in the list is it.
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
  const yours = own !== undefined && (own.settledReading !== null || own.source === 'set by you');
  return { kind, listed: listed.model, now, next, change: difference(now, next), yours };
}

/** One of each, so that interpretations in different units can be compared: an eight-second clip, a million tokens each way, a picture. */
const EXAMPLE: Quantity = Object.assign({}, ...Object.values(PRICINGS).map(({ example }) => example.quantity));
/** The same with a part of its input from a cache and a part written to one, for interpretations that differ in nothing else. */
const EXAMPLE_OF_CACHE: Quantity = { ...EXAMPLE, cachedTokens: 250_000, cacheWriteTokens: 250_000 };

function difference(now: Price | null, next: Price): PriceChange['change'] {
  if (now === null) return 'new';
  if (JSON.stringify(openInterpretations(now)) === JSON.stringify(openInterpretations(next))) return 'same';
  const costs = [EXAMPLE, EXAMPLE_OF_CACHE].map((quantity) => [costOf(next, quantity), costOf(now, quantity)] as const);
  // Of fewer readings than before the cheapest says nothing: one of them is settled.
  const areAsMany = openInterpretations(now).length === openInterpretations(next).length;
  const apart = [
    ...costs.map(([after, before]) => after.nano - before.nano),
    ...(areAsMany ? costs.map(([after, before]) => after.lowNano - before.lowNano) : []),
  ].find((nano) => nano !== 0);
  if (apart === undefined) return 'other';
  return apart > 0 ? 'dearer' : 'cheaper';
}

/** A price for requests that name no model may be the one in use, whatever it is called: a long list does not leave it out. */
const rank = ({ kind, used, change }: PriceChange): number =>
  (used ? 0 : pricingOf(kind).byModel ? 4 : 2) + (change === 'same' ? 1 : 0);
const byUse = (a: PriceChange, b: PriceChange): number => rank(a) - rank(b) || a.listed.localeCompare(b.listed);

export interface Choice {
  kind: PriceKind;
  listed: string;
}

/**
 * The entries for what was chosen of a preview, exactly as shown. Several that form one entry (pictures of several modes) become its
 * interpretations: the dearest is reserved until the user settles the price.
 */
export function pricesFromImport(preview: PricePreview, chosen: readonly Choice[]): Result<Price[]> {
  const entries: Price[] = [];
  for (const { kind, listed } of chosen) {
    const change = preview.changes.find((shown) => shown.kind === kind && shown.listed === listed);
    if (!change) return fail('invalid_input', t`chosen: ${listed} is not in the list.`, { field: 'chosen' });
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
