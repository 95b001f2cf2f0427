import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../shared/contract/values.ts';
import { DIALECT } from '../../../shared/gateway/dialect.ts';
import { factsOf } from '../../../shared/gateway/modelFacts.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { mediaRefsOf, type StudioRequest } from '../../../shared/kinds/index.ts';
import type { Price } from '../../../shared/money/price.ts';
import type { Asker, VoidReason } from '../../../shared/money/quote.ts';
import { protocolsOf } from '../../../shared/wire/protocols.ts';
import { estimate } from '../ledger/index.ts';

/** The hashed content of a quote: everything that an approval is for. */
export interface QuoteDocument {
  asker: Asker;
  order: {
    request: StudioRequest;
    /** The gateway and its dialect: in another dialect it is another request. */
    gateway: { id: string; baseUrl: string; dialect: Record<string, unknown>; extraHeaders: string[] };
    projectId: string | null;
    /** Files by content. Inputs from jobs are named in the request, since a take is never replaced. */
    files: { field: string; sha256: string }[];
  };
  price: {
    estimateNano: number;
    lowNano: number;
    unpriced: boolean;
    readings: Price['readings'];
    settledReading: number | null;
  };
  expiresAt: number | null;
}

export interface QuoteInput {
  asker: Asker;
  request: StudioRequest;
  projectId: string | null;
  expiresAt: number | null;
}

/** The present document. `sha256Of`: the hash of an asset's file, or undefined if unknown. */
export function documentOf(
  { asker, request, projectId, expiresAt }: QuoteInput,
  profile: Profile,
  sha256Of: (assetId: string) => string | undefined,
): QuoteDocument {
  const { nano, lowNano, unpriced = false, price } = estimate(profile, request);
  const files = mediaRefsOf(request).flatMap(({ field, ref }) =>
    'assetId' in ref ? [{ field, sha256: sha256Of(ref.assetId) ?? '' }] : [],
  );
  return {
    asker,
    order: { request, gateway: gatewayOf(profile, 'model' in request ? request.model : undefined), projectId, files },
    price: {
      estimateNano: nano,
      lowNano,
      unpriced,
      readings: price?.readings ?? [],
      settledReading: price?.settledReading ?? null,
    },
    expiresAt,
  };
}

/** Only the names of extra headers: their values are secret. */
function gatewayOf(profile: Profile, model: string | undefined): QuoteDocument['order']['gateway'] {
  const { id, baseUrl, extraHeaders } = profile;
  const settings: Record<string, unknown> = profile;
  const set = Object.fromEntries(Object.keys(DIALECT).map((name) => [name, settings[name] ?? null]));
  const { extra } = factsOf(profile, model);
  const dialect = { ...set, protocols: protocolsOf(profile), ...(extra ? { extra } : {}) };
  return { id, baseUrl, dialect, extraHeaders: Object.keys(extraHeaders).sort() };
}

export const hashOf = (document: QuoteDocument): string =>
  createHash('sha256').update(canonicalJson(document)).digest('hex');

/** The differences from the present document; undefined if both are identical. */
export function differenceOf(id: string, kept: QuoteDocument, now: QuoteDocument): VoidReason | undefined {
  if (hashOf(kept) !== id) return 'order';
  if (hashOf(now) === id) return undefined;
  return canonicalJson(kept.order) === canonicalJson(now.order) ? 'price' : 'order';
}
