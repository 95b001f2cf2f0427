import type { Reason } from '../../../../shared/contract/result.ts';
import type { Match, Signs } from '../../../../shared/wire/families/index.ts';
import { type Medium, protocolsOf } from '../../../../shared/wire/protocols.ts';
import { gatewayError } from '../errors/index.ts';
import { refused, retryWithNextSpelling } from '../outcomes/index.ts';
import type { Service } from '../service.ts';
import type { Sent } from '../tasks/index.ts';
import type { SendOptions, SubmitOutcome } from '../types.ts';
import { readSigns } from './signs.ts';

interface Formats {
  medium: Medium;
  /** The formats beside the specification's own. */
  families: readonly { name: string; match(signs: Signs): Match }[];
  /** What of this request a format has no field for, or needs: then nothing is sent in it. */
  lacks(name: string): Reason[];
  submit(name: string): Promise<Sent>;
}

/**
 * Sends a request in the format that is in use. Only where that was not set by the user, and the gateway definitely has no such route, the
 * next one is tried: one that free signs show, or else one that they do not exclude.
 */
export async function bySpokenFormat(
  service: Service,
  send: SendOptions,
  { medium, families, lacks, submit }: Formats,
): Promise<SubmitOutcome> {
  const isSet = service.profile.protocols[medium] !== undefined;
  let signs: Promise<Signs> | undefined;
  const { outcome } = await retryWithNextSpelling<string, Sent>(send, {
    first: spokenProtocols(service)[medium],
    nameOf: (name) => name,
    submit: async (name) => {
      const [reason] = lacks(name);
      if (!reason) return submit(name);
      const message = `${reason.field}: ${reason.message}`;
      return { outcome: refused(gatewayError(service, { kind: 'invalid', message, accepted: 'no' })) };
    },
    async next({ hasNoRoute }, _, isTried) {
      if (isSet || !hasNoRoute) return undefined;
      signs ??= readSigns(service);
      const shown = await signs;
      const untried = families
        .filter(({ name }) => !isTried(name) && lacks(name).length === 0)
        .map((one) => ({ one, match: one.match(shown) }));
      const next =
        untried.find(({ match }) => match.speaks === 'yes') ?? untried.find(({ match }) => match.speaks === 'unknown');
      return next?.one.name;
    },
    learn: (name) => service.learn({ protocols: { ...service.memory().protocols, [medium]: name } }, 'accepted'),
  });
  return outcome;
}

/** The formats in use. */
export const spokenProtocols = ({ profile, memory }: Service) =>
  protocolsOf({ protocols: profile.protocols, spoken: memory().protocols });
