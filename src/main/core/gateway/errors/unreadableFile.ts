import { t } from '../../../../shared/text/texts.ts';
import type { Service } from '../service.ts';
import type { GatewayError } from '../types.ts';
import { gatewayError } from './gatewayError.ts';

/** A file of a request cannot be put into its body: nothing was sent. */
export const unreadableFile = (service: Service, what: string): GatewayError =>
  gatewayError(service, {
    kind: 'invalid',
    message: t`${what} cannot be read from disk, or was changed there.`,
    accepted: 'no',
    retryable: false,
  });
