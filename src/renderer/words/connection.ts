import type { ConnectionStep } from '../../shared/connection.ts';
import { t } from '../../shared/texts.ts';

/** The steps of a connection test, in their order. */
export const STEP_WORDS = {
  dns: t`Name`,
  connect: t`Connect`,
  tls: 'TLS',
  key: 'Key',
  protocol: t`Protocol`,
  model: t`Model`,
} as const satisfies Record<ConnectionStep['name'], string>;
