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

/** What is hashed: all that an approval is for, and nothing that may change without changing it. */
export interface QuoteDocument {
  asker: Asker;
  order: {
    request: StudioRequest;
    /** Where it goes, and how the gateway is spoken to: in another dialect it is another request. */
    gateway: { id: string; baseUrl: string; dialect: Record<string, unknown>; extraHeaders: string[] };
    projectId: string | null;
    /** Files by their bytes. What a job is to make or has made is named in the request: a take is never replaced by another one. */
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

export interface Wanted {
  asker: Asker;
  request: StudioRequest;
  projectId: string | null;
  expiresAt: number | null;
}

/** The document as it would be now. `sha256Of` gives the hash of an asset's file, or undefined where that is not known. */
export function documentOf(
  { asker, request, projectId, expiresAt }: Wanted,
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

/** Of the further headers the names: what they carry is secret. */
function gatewayOf(profile: Profile, model: string | undefined): QuoteDocument['order']['gateway'] {
  const { id, baseUrl, extraHeaders } = profile;
  const settings: Record<string, unknown> = profile;
  const set = Object.fromEntries(Object.keys(DIALECT).map((name) => [name, settings[name] ?? null]));
  const { extra } = factsOf(profile, model);
  const dialect = { ...set, protocols: protocolsOf(profile), ...(extra ? { extra } : {}) };
  return { id, baseUrl, dialect, extraHeaders: Object.keys(extraHeaders).sort() };
}

/** The id of a quote. */
export const hashOf = (document: QuoteDocument): string =>
  createHash('sha256').update(canonicalJson(document)).digest('hex');

/** What of a quote no longer holds; undefined if what was kept and what would be sent now are the same to the byte. */
export function differenceOf(id: string, kept: QuoteDocument, now: QuoteDocument): VoidReason | undefined {
  if (hashOf(kept) !== id) return 'order';
  if (hashOf(now) === id) return undefined;
  return canonicalJson(kept.order) === canonicalJson(now.order) ? 'price' : 'order';
}
