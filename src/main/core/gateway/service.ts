import type { FoundBy } from '../../../shared/gateway/connection.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { bearerHeader, type Headers, type ImageAuth, imageAuth } from '../../../shared/wire/headers.ts';
import type { Transport } from './http/transport.ts';
import type { DialectMemory, GatewayDeps, Secrets } from './types.ts';

/** One profile's service, with everything that calls need. */
export interface Service {
  profile: Profile;
  secrets: Secrets;
  transport: Transport;
  /** Removes this profile's secrets from a text. */
  scrub(text: string): string;
  now: GatewayDeps['now'];
  after: GatewayDeps['after'];
  memory(): DialectMemory;
  /** Remembers a finding and its source. */
  learn(found: Omit<DialectMemory, 'origin' | 'foundBy'>, by: FoundBy): void;
}

/** The key as a header, if there is one (spec 5.2). */
export function bearer(service: Service): Headers {
  const { apiKey } = service.secrets;
  return apiKey === undefined ? {} : bearerHeader(apiKey);
}

/** The key header's spellings to try for images, the one that worked first (spec 5.3). */
export function imageAuths(
  service: Service,
  listed: readonly string[] = service.profile.imageAuthHeaders,
): ImageAuth[] {
  const { apiKey, botToken } = service.secrets;
  if (apiKey === undefined) return [{ headers: {} }];
  const known = service.memory().imageAuthHeader;
  const names =
    known !== undefined && listed.includes(known) ? [known, ...listed.filter((name) => name !== known)] : listed;
  return (names.length > 0 ? names : ['Authorization']).map((name) => imageAuth(name, { apiKey, botToken }));
}
