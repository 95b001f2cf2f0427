import type { Profile } from '../../../shared/profile.ts';
import type { Transport } from './http/index.ts';
import type { DialectMemory, GatewayDeps, Secrets } from './types.ts';

/** One profile's service: what every call needs. */
export interface Service {
  profile: Profile;
  secrets: Secrets;
  transport: Transport;
  /** Removes this profile's secrets from a text. */
  scrub(text: string): string;
  now: GatewayDeps['now'];
  after: GatewayDeps['after'];
  proxy?: string;
  memory(): DialectMemory;
  learn(found: DialectMemory): void;
}
