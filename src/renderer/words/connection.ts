import type { ConnectionStep } from '../../shared/connection.ts';

/** The steps of a connection test, in their order. */
export const STEP_WORDS = {
  dns: 'Name',
  connect: 'Connect',
  tls: 'TLS',
  key: 'Key',
  protocol: 'Protocol',
  model: 'Model',
} as const satisfies Record<ConnectionStep['name'], string>;
