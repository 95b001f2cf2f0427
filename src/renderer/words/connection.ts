import type { ConnectionStep } from '../../shared/connection.ts';
import { t } from '../../shared/texts.ts';

/** The steps of a connection test, in their order. */
export const STEP_WORDS = {
  dns: t`Address`,
  connect: t`Connection`,
  tls: t`Encryption`,
  key: t`Key`,
  protocol: t`API format`,
  model: t`Models`,
} as const satisfies Record<ConnectionStep['name'], string>;
