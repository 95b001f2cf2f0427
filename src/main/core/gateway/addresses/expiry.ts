import { field, type Json, textOf } from '../json/json.ts';

/** When a link ends, in milliseconds since 1970: as the answer says beside it, or as its own signature says. */
export function expiryOf(uri: string, beside: Json | undefined): number | undefined {
  return momentOf(field(beside, 'expiresAt', 'expireAt', 'expireTime', 'expirationTime', 'expiry')) ?? signedUntil(uri);
}

function momentOf(value: Json | undefined): number | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return Number.isNaN(Date.parse(text)) ? undefined : Date.parse(text);
  if (number > 1e12) return number;
  return number > 1e9 ? number * 1000 : undefined;
}

function signedUntil(uri: string): number | undefined {
  if (!uri.startsWith('http')) return undefined;
  const query = new Map([...(URL.parse(uri)?.searchParams ?? [])].map(([name, value]) => [name.toLowerCase(), value]));
  const lifetime = Number(query.get('x-amz-expires') ?? query.get('x-goog-expires') ?? Number.NaN);
  const signedAt = compactDate(query.get('x-amz-date') ?? query.get('x-goog-date') ?? '');
  if (Number.isFinite(lifetime) && signedAt !== undefined) return signedAt + lifetime * 1000;
  return momentOf(query.get('expires') ?? query.get('x-oss-expires') ?? query.get('se') ?? null);
}

/** `20250131T120000Z`. */
function compactDate(text: string): number | undefined {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const at = Date.parse(iso);
  return Number.isNaN(at) ? undefined : at;
}
