import { LayoutGrid, Moon, Pencil, Play, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { isCancelable, isTerminal, type Job } from '../../../shared/jobs/job.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import {
  ActionButton,
  evidenceOfJob,
  MoneyPlate,
  navigate,
  only,
  useAction,
  useCall,
  useJob,
  useStudio,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { DownloadNow } from '../../media/DownloadNow.tsx';
import { planNightFor, sendOnce, shownOfJob } from '../../spending/index.ts';
import { Button, Confirm, Icon, priceText, TextAction } from '../../ui/index.ts';
import { STATE_WORDS } from '../../words/index.ts';
import { EditJobDialog } from './EditJobDialog.tsx';
import { CascadeBar, MoveButtons, type WaitingLine } from './MoveButtons.tsx';
import { useNightOfList } from './nightOfList.tsx';
import { retryOf, SendJobDialog, type SendJobKind } from './SendJobDialog.tsx';
import { WAITING_STATES } from './state.ts';
import { useTitleOf } from './takeNames.tsx';
import { tightestBudget } from './waiting.ts';

/** How many jobs would end with the selected one, and the actions on it. */
export function SelectionBar({ job, line }: { job: Job; line: WaitingLine }) {
  const dependents = useDependents(job);
  const { refusal, run } = useAction();
  const cancelIt = () => run(call('jobs.cancel', { id: job.id }));
  const titleOf = useTitleOf();
  const [asked, setAsked] = useState<number>();
  const [offer, setOffer] = useState<SendJobKind>();
  const cancelable = isCancelable(job);
  // Counted again at the press: a dependent job may have been added, or the count is not loaded yet.
  const cancel = async () => {
    const answer = await call('jobs.list', waitingFor(job.id));
    if (!answer.ok || answer.data.total > 0) setAsked(answer.ok ? answer.data.total : (dependents ?? 0));
    else void cancelIt();
  };
  const waits = WAITING_STATES.includes(job.state);
  const again = retryOf(job);
  const asset = job.outputs[0];
  const scope = useStudio(({ budgets }) => tightestBudget(budgets, job)?.scope);
  return (
    <CascadeBar label={t`Selected job`} words={consequence(job, titleOf(job), dependents)} refusal={refusal}>
      {job.retriedAs !== undefined && <RetriedAs id={job.retriedAs} />}
      {asset && <ShowButton asset={asset} />}
      {kindOf(job).makes === 'text' && <RecallButton job={job} />}
      <DownloadAway job={job} />
      <EvidenceLink job={job} />
      {waits && isEditable(job) && <EditButton job={job} />}
      {waits && <MoveButtons choice={only(job.id)} line={line} />}
      {waits && (
        <NightButton job={job} onRunNow={() => setOffer('leaveNight')} onTonight={() => void run(intoNight(job))} />
      )}
      {job.reason === 'budget' && !job.money.unpriced && (
        <Button
          variant="ghost"
          onClick={() => navigate('spend', scope === 'day' ? { budget: 'day' } : {})}
        >{t`Change budget`}</Button>
      )}
      {again && <RetryButton job={job} kind={again} onRetry={() => setOffer(again)} />}
      {cancelable && (
        <ActionButton variant="ghost-danger" action="queue.cancel" onDo={() => void cancel()}>
          {t`Cancel`}
        </ActionButton>
      )}
      {offer && <SendJobDialog key={offer} job={job} kind={offer} onClose={() => setOffer(undefined)} />}
      <CancelAsked
        job={job}
        asked={asked}
        onClose={() => setAsked(undefined)}
        onCancel={() => {
          setAsked(undefined);
          void cancelIt();
        }}
      />
    </CascadeBar>
  );
}

const EvidenceLink = ({ job }: { job: Job }) =>
  job.sentAt === undefined ? null : (
    <a className="lnk nw" href={evidenceOfJob(job.id)}>
      {t`Job record`}
    </a>
  );

const ShowButton = ({ asset }: { asset: Asset }) => (
  <Button variant="ghost" onClick={() => navigate('library', { asset: asset.id })}>
    <Icon of={LayoutGrid} />
    {t`Show in library`}
  </Button>
);

/** Opens the page where the job was made, with its prompt, model and options; nothing is sent. */
function RecallButton({ job }: { job: Job }) {
  const recall = () => navigate('chat', { recall: job.id });
  return (
    <ActionButton variant="ghost" action="queue.recall" onDo={recall}>
      {t`Reuse prompt`}
    </ActionButton>
  );
}

/** Downloads a result that is not on this disk. */
function DownloadAway({ job }: { job: Job }) {
  const away = job.state === 'succeeded' ? job.outputs.find(({ state }) => state !== 'local') : undefined;
  return away && <DownloadNow key={away.id} asset={away} bare />;
}

/** A chat message is edited in its conversation, and a request that was sent cannot be changed. */
const isEditable = (job: Job): boolean => kindOf(job).makes !== 'text' && job.attempts.length === 0 && !job.requestCut;

function EditButton({ job }: { job: Job }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <ActionButton variant="ghost" action="queue.edit" onDo={() => setOpen(true)}>
        <Icon of={Pencil} />
        {t`Edit`}
      </ActionButton>
      {open && <EditJobDialog key={job.id} job={job} onClose={() => setOpen(false)} />}
    </>
  );
}

const RETRY_LABELS: Partial<Record<SendJobKind, string>> = {
  allowUnpriced: t`Send without a price`,
  confirmPrice: t`Confirm price…`,
};

const RetryButton = ({ job, kind, onRetry }: { job: Job; kind: SendJobKind; onRetry: () => void }) => {
  const isPriced = !isTerminal(job.state) || job.money.estimateNano > 0;
  return (
    <>
      {isPriced && <MoneyPlate profileId={job.profileId} />}
      <ActionButton variant="ghost" action="queue.retry" onDo={onRetry}>
        <Icon of={RotateCcw} />
        {RETRY_LABELS[kind] ?? t`Retry`}
        {isPriced && <span className="price t3">{priceOf(job)}</span>}
      </ActionButton>
    </>
  );
};

const priceOf = ({ money: { estimateNano, estimateLowNano, unpriced } }: Job): string =>
  priceText(estimateNano, estimateLowNano, 'range', unpriced);

/** A link to the job that replaced this one when it was requested again. */
function RetriedAs({ id }: { id: string }) {
  const again = useJob(id);
  const titleOf = useTitleOf();
  return (
    <TextAction onClick={() => navigate('queue', { job: id })}>
      {again ? `${t`Requested again`}: ${titleOf(again)}, ${STATE_WORDS[again.state]}` : t`Requested again`}
    </TextAction>
  );
}

interface CancelAskedProps {
  job: Job;
  /** How many jobs would be canceled with it; undefined while nothing is asked. */
  asked: number | undefined;
  onClose: () => void;
  onCancel: () => void;
}

function CancelAsked({ job, asked, onClose, onCancel }: CancelAskedProps) {
  const title = useTitleOf()(job);
  return (
    <Confirm
      open={asked !== undefined}
      onClose={onClose}
      title={t`Cancel ${title}?`}
      actionLabel={t`Cancel ${counted((asked ?? 0) + 1, 'job')}`}
      onConfirm={onCancel}
    >
      {[lostWith(asked), givenBack(job)].filter(Boolean).join(' ')}
    </Confirm>
  );
}

/**
 * Moves the job into the scheduled overnight run, or out of it to run now. Running now spends, so its price is shown. If no run is
 * scheduled, its plan opens first.
 */
function NightButton({ job, onRunNow, onTonight }: { job: Job; onRunNow: () => void; onTonight: () => void }) {
  const night = useNightOfList();
  const title = useTitleOf()(job);
  const inNight = job.runId !== undefined;
  const order = async () => {
    const answer = await intoNight(job);
    return answer.ok ? undefined : answer.error;
  };
  const plan = () => planNightFor({ what: title, shown: shownOfJob(job), payer: job.profileId, onSend: order });
  const move = inNight ? onRunNow : night?.current ? onTonight : plan;
  if (!inNight && !night) return null;
  return (
    <ActionButton variant="ghost" action="queue.night" onDo={move}>
      <Icon of={inNight ? Play : Moon} />
      {inNight ? t`Run now` : t`Schedule tonight`}
    </ActionButton>
  );
}

const intoNight = (job: Job) => sendOnce('night.assign', { ids: [job.id], night: true, shown: shownOfJob(job) });

const waitingFor = (id: string) => ({ waitsFor: id, limit: 1 });

/** While keys step through the list, only the job they stop at is looked up. */
const STEPPED_MS = 150;

/** How many jobs depend on this one, anywhere in the line; undefined until known. */
function useDependents({ id, state }: Job): number | undefined {
  const asked = isTerminal(state) ? null : waitingFor(id);
  return useCall('jobs.list', asked, { on: ['job.changed'], debounceMs: STEPPED_MS }).data?.total;
}

const lostWith = (dependents: number | undefined): string =>
  dependents ? t`${counted(dependents, 'dependent job')} will not be sent.` : '';

/** Sent requests cannot be recalled. */
export const MAY_BE_MADE = t`Sent jobs may still be made and billed.`;

const AT_THE_GATEWAY = ['sending', 'running'];
/** After these outcomes the gateway may have made and billed the result. */
const MAY_BE_BILLED = ['accepted', 'unknown', 'lost'];

function givenBack(job: Job): string {
  if (AT_THE_GATEWAY.includes(job.state)) return MAY_BE_MADE;
  const { reservedNano, uncertainNano, unpriced } = job.money;
  const isSent = unpriced && job.attempts.some(({ outcome }) => MAY_BE_BILLED.includes(outcome));
  return [
    uncertainNano > 0 && t`${formatNano(uncertainNano)} stays unconfirmed.`,
    isSent && t`An earlier request may be billed.`,
    reservedNano > 0 && t`${formatNano(reservedNano)} is no longer reserved.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function consequence(job: Job, title: string, dependents: number | undefined): string {
  if (isTerminal(job.state)) return job.error ? job.error.message : title;
  if (job.state === 'fetching') return `${title}: ${STATE_WORDS.fetching}`;
  return [t`Cancel ${title}?`, lostWith(dependents), givenBack(job)].filter(Boolean).join(' ');
}
