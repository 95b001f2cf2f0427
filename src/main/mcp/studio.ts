import type { CallInput, CallName, CallOutput } from '../../shared/contract/contract.ts';
import { fail, type Result } from '../../shared/contract/result.ts';
import type { SpendingCall } from '../../shared/contract/spendingCall.ts';
import { isLost, openLink, type StudioLink } from '../link/index.ts';

/**
 * The calls that a program may make through the protocol: they read, draft and ask. The compiler refuses a call that can spend, and calls
 * that are not listed are not sent.
 */
const ALLOWED = [
  'app.info',
  'projects.list',
  'storyboard.get',
  'library.list',
  'library.get',
  'profiles.list',
  'director.draft',
  'director.change',
  'quotes.create',
  'quotes.get',
  'jobs.get',
] as const satisfies readonly Exclude<CallName, SpendingCall>[];
export type AllowedCall = (typeof ALLOWED)[number];

export interface Studio {
  call<Name extends AllowedCall>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>>;
}

/** The studio of a data folder. It may end and start again meanwhile: a call that finds it gone looks for it once more. */
export function studioOf(folder: string | undefined): Studio {
  let link: StudioLink | undefined;
  const opened = async (): Promise<Result<StudioLink>> => {
    if (link) return { ok: true, data: link };
    const found = await openLink(folder);
    if (found.ok) link = found.data;
    return found;
  };
  return {
    async call(name, input) {
      if (!ALLOWED.includes(name)) return fail('not_found', `There is no call named ${name}.`);
      const found = await opened();
      if (!found.ok) return found;
      const answer = await found.data.call(name, input);
      if (answer.ok || answer.error.code !== 'unreachable') return answer;
      link = undefined;
      if (isLost(answer.error)) return answer;
      // Nothing was sent: the studio may be at another port by now.
      const again = await opened();
      return again.ok ? again.data.call(name, input) : answer;
    },
  };
}
