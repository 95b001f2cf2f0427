import type { Budget } from '../../../shared/ledger.ts';
import { formatNano } from '../../../shared/money.ts';
import { isPlayMoney } from '../../../shared/profile.ts';
import { exceededSoftCaps } from '../ledger/index.ts';
import { currentNightRun } from '../night/index.ts';
import type { EngineDeps } from './deps.ts';
import type { EnqueueInput } from './enqueue.ts';

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'profiles' | 'emit'>;

/** Remembers which soft caps are exceeded before jobs are written; `warn`, called after, notifies the user of those exceeded since. */
export function watchSoftCaps(deps: Deps, { projectId, night }: Pick<EnqueueInput, 'projectId' | 'night'>) {
  const exceeded = (): Budget[] => {
    const { read } = deps.store;
    const runId = night ? (currentNightRun(read)?.id ?? null) : null;
    const play = isPlayMoney(deps.profiles.active().id);
    return exceededSoftCaps(read, { play, projectId: projectId ?? null, runId }, deps.clock.now());
  };
  const known = new Set(exceeded().map(({ scope }) => scope));
  const warn = (): void => {
    for (const { scope, softNano = 0, play } of exceeded().filter((budget) => !known.has(budget.scope))) {
      const money = play ? ' in play money' : '';
      const text = `More than ${formatNano(softNano)}${money} is now spent, reserved or in doubt for this ${scope === 'run' ? 'night' : scope}. It is a soft cap: nothing is stopped.`;
      deps.emit({ type: 'notice', level: 'info', text });
    }
  };
  return { warn };
}
