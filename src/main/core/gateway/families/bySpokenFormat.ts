import type { Match, Signs } from '../../../../shared/wire/families/index.ts';
import { type Medium, protocolsOf } from '../../../../shared/wire/protocols.ts';
import { readSigns } from '../account/index.ts';
import { retryWithNextSpelling } from '../outcomes/index.ts';
import type { Service } from '../service.ts';
import type { SendOptions, SubmitOutcome } from '../types.ts';

/** One request, in one API format. */
export interface Sent {
  outcome: SubmitOutcome;
  /** The gateway has no such route: nothing was made of the request. */
  hasNoRoute: boolean;
}

interface Formats {
  medium: Medium;
  /** The other formats that can carry this request. */
  others: readonly { name: string; match(signs: Signs): Match }[];
  submit(name: string): Promise<Sent>;
}

/**
 * Sends a request in the format that is in use. Only where that was not set by the user, and the gateway definitely has no such route, the
 * next one is tried: one that free signs show, or else one that they do not exclude.
 */
export async function bySpokenFormat(
  service: Service,
  send: SendOptions,
  { medium, others, submit }: Formats,
): Promise<SubmitOutcome> {
  const isSet = service.profile.protocols[medium] !== undefined;
  let signs: Promise<Signs> | undefined;
  const { outcome } = await retryWithNextSpelling<string, Sent>(send, {
    first: spokenProtocols(service)[medium],
    nameOf: (name) => name,
    submit,
    async next({ hasNoRoute }, _, isTried) {
      if (isSet || !hasNoRoute) return undefined;
      signs ??= readSigns(service);
      const shown = await signs;
      const untried = others.filter(({ name }) => !isTried(name)).map((one) => ({ one, match: one.match(shown) }));
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
