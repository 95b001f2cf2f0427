import type { ChosenFigures } from '../../../shared/jobs/queueCalls.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { announce, refuseAt, useCall, useStudio } from '../../app/index.ts';
import type { CallInput } from '../../client/index.ts';
import { BEING_READ, PriceLine, planNightFor, type SendFailure, SpendDialog, sendOnce } from '../../spending/index.ts';
import { plural } from '../../ui/index.ts';
import { useNight } from './night/useNight.ts';
import { JOINS_NIGHT, LEAVES_NIGHT, NEW_JOB } from './SendJobDialog.tsx';
import { OUTCOME } from './state.ts';

/**
 * `retry`: requests failed and canceled jobs again. `tonight`, `leaveNight`: move waiting jobs into the overnight run, or out of it to run
 * now.
 */
export type ManyKind = 'retry' | 'tonight' | 'leaveNight';

/** Which jobs, as a call about many names them. */
export type ManyOf = Pick<CallInput<'jobs.chosen'>, 'ids' | 'filter' | 'except'>;

const WORDS: Record<ManyKind, { label: (count: number) => string; text: string }> = {
  retry: {
    label: (count) => t`Request ${counted(count, 'job')} again`,
    text: NEW_JOB,
  },
  tonight: {
    label: (count) => t`Schedule ${counted(count, 'job')} overnight`,
    text: JOINS_NIGHT,
  },
  leaveNight: {
    label: (count) => t`Run ${counted(count, 'job')} now`,
    text: LEAVES_NIGHT,
  },
};

/** One total price for all of them, if the action spends. */
export function ManyDialog({ kind, of, onClose }: { kind: ManyKind; of: ManyOf; onClose: () => void }) {
  const ask = { ...of, ...(kind === 'retry' ? { againPrice: true } : {}) };
  const { data, error, stale, outdated } = useCall('jobs.chosen', ask, { on: ['profiles.changed', 'job.changed'] });
  const isFresh = data !== undefined && !stale && !outdated;
  const count = data ? countOf(data, kind) : 0;
  const shown = data && (kind === 'retry' ? data.againPrice : data.waitingPrice);
  const none = isFresh && count === 0 ? t`No matching jobs` : undefined;
  const off = error?.message ?? (isFresh ? none : BEING_READ);
  const words = WORDS[kind];
  const play = data?.play ?? false;
  const { isNightMissing, ...sends } = useSends({ kind, of, shown, play }, words.label(count));
  return (
    <SpendDialog
      label={words.label(count)}
      off={off}
      price={<PriceLine what={plural(count, 'job')} price={shown} play={play} />}
      {...sends}
      onClose={onClose}
    >
      {kind === 'tonight' && isNightMissing ? t`No overnight run is scheduled. Schedule one first.` : words.text}
      {data?.withoutProfile ? ` ${withoutGateway(data.withoutProfile)}` : ''}
    </SpendDialog>
  );
}

/** The actions of the buttons. If no overnight run is scheduled, its plan opens first. */
function useSends(which: Omit<Order, 'night'>, what: string) {
  const { play } = which;
  const isNightMissing = useNight().data?.current === null;
  const send = (night: boolean) => () => order({ ...which, night });
  const tonight = { what, shown: which.shown, payer: { play }, onSend: send(true) };
  const plan = async (): Promise<SendFailure> => {
    planNightFor(tonight);
    return undefined;
  };
  if (which.kind === 'retry') return { isNightMissing, onSend: send(false), tonight };
  if (which.kind === 'leaveNight') return { isNightMissing, onSend: send(false) };
  return { isNightMissing, onSend: isNightMissing ? plan : send(true) };
}

const countOf = ({ ended, withoutProfile = 0, waiting }: ChosenFigures, kind: ManyKind): number =>
  kind === 'retry' ? ended - withoutProfile : waiting;

const withoutGateway = (count: number): string => t`Skipped, gateway removed: ${counted(count, 'job')}.`;

interface Order {
  kind: ManyKind;
  of: ManyOf;
  shown: ShownPrice | undefined;
  night: boolean;
  play: boolean;
}

async function order({ kind, of, shown, night, play }: Order): Promise<SendFailure> {
  // The gateways of many jobs are not known here; any of them with real money may be involved.
  const payers = play ? [] : useStudio.getState().profiles.map(({ id }) => id);
  if (kind !== 'retry') {
    const answer = await sendOnce('night.assign', { ...of, night, shown }, { payers });
    return answer.ok ? undefined : answer.error;
  }
  const answer = await sendOnce('jobs.retryMany', { ...of, shown, ...(night ? { night } : {}) }, { payers });
  if (!answer.ok) return answer.error;
  const { count, left, leftCount } = answer.data;
  announce(night ? t`${counted(count, 'job')} scheduled overnight` : t`${counted(count, 'job')} queued`);
  if (leftCount > 0) refuseAt(OUTCOME, t`${leftCount} could not be requested again: ${left[0]?.message ?? ''}`);
  return undefined;
}
