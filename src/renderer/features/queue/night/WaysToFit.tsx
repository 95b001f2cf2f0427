import { ChevronDown } from 'lucide-react';
import { cheaperModels, type ModelChoice } from '../../../../shared/jobs/cheaperModels.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { UnfitJob, UnfitReason } from '../../../../shared/jobs/night.ts';
import { priceKindOf } from '../../../../shared/kinds/index.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import {
  announce,
  cacheJobs,
  navigate,
  only,
  showRefusal,
  useEntities,
  useJob,
  useStudio,
} from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { priceParams, sendOnce } from '../../../spending/index.ts';
import { Button, Icon, Menu, type MenuItem, PriceWords, toast } from '../../../ui/index.ts';
import { moveChosen } from '../dragging.ts';
import { useTitleOf } from '../takeNames.tsx';

export interface WaysToFitProps {
  unfit: UnfitJob;
  /** The first job of the run. */
  firstId: string | undefined;
  /** Tries a plan with this budget. */
  onCap: (capNano: number) => void;
}

/** Reasons of missing money; a cheaper model may help. */
const MONEY: readonly UnfitReason[] = ['run', 'day', 'month', 'project', 'floor'];

/** How a job that does not fit could fit: each option with its change, and none by itself. */
export function WaysToFit({ unfit, firstId, onCap }: WaysToFitProps) {
  const job = useJob(unfit.jobId);
  const profile = useStudio(({ profiles }) => profiles.find(({ id }) => id === job?.profileId));
  const titleOf = useTitleOf();
  const models = job && profile && MONEY.includes(unfit.reason) ? cheaperModels(job, profile) : [];
  const cure = cureOf(unfit, firstId, onCap);
  const ways = [
    ...models.map((choice) => modelWay(unfit.jobId, choice, () => (job ? titleOf(job) : t`This job`))),
    ...(cure ? [cure] : []),
  ];
  const [only] = ways;
  if (!only) return null;
  if (ways.length === 1)
    return (
      <Button
        variant="ghost"
        onClick={(event) => {
          event.stopPropagation();
          only.onSelect();
        }}
      >
        {only.label}
      </Button>
    );
  const trigger = (
    <Button variant="ghost" onClick={(event) => event.stopPropagation()}>
      {t`Options`}
      <Icon of={ChevronDown} />
    </Button>
  );
  return <Menu label={t`Options`} trigger={trigger} items={ways} />;
}

const modelWay = (jobId: string, { model, nano, lowNano }: ModelChoice, title: () => string): MenuItem => ({
  id: `model ${model}`,
  label: (
    <>
      {t`Use ${model}`} <PriceWords nano={nano} lowNano={lowNano} />
    </>
  ),
  onSelect: () => void makeWith(jobId, model, title()),
});

/** The full current request with this model: a list may hold only a part of it. */
async function makeWith(id: string, model: string, title: string): Promise<void> {
  const now = await call('jobs.get', { id });
  if (!now.ok) return showRefusal(now.error);
  const choice = choiceFor(now.data, model);
  if (!choice) return void toast({ kind: 'fail', text: t`${model} is no longer cheaper. Nothing changed.` });
  const { request, nano, lowNano } = choice;
  const shown = { estimateNano: nano, lowNano, unpriced: 0 };
  const answer = await sendOnce('jobs.edit', { id, request, revision: now.data.revision, shown });
  if (!answer.ok) return showRefusal(answer.error);
  cacheJobs([answer.data]);
  announce(t`${title} now uses ${model}`);
}

function choiceFor(job: Job, model: string): ModelChoice | undefined {
  const profile = useStudio.getState().profiles.find(({ id }) => id === job.profileId);
  return profile && cheaperModels(job, profile).find((choice) => choice.model === model);
}

/** The price is set at the job's own gateway, whichever is in use. */
function setPriceOf(jobId: string): void {
  const job = useEntities.getState().jobs.get(jobId);
  navigate('spend', job && priceParams({ kind: priceKindOf(job.request), model: job.model, profileId: job.profileId }));
}

/** The one change of the plan, the budgets or the queue that makes the job fit. */
function cureOf(
  { cure, jobId }: UnfitJob,
  firstId: string | undefined,
  onCap: (capNano: number) => void,
): MenuItem | undefined {
  switch (cure?.type) {
    case 'cap':
      return {
        id: 'cap',
        label: t`Set run budget to ${formatNano(cure.capNano)}`,
        onSelect: () => onCap(cure.capNano),
      };
    case 'budget':
      return {
        id: 'budget',
        label: t`Change budget to ${formatNano(cure.hardNano)}`,
        onSelect: () => navigate('spend'),
      };
    case 'first': {
      const onSelect = () => firstId !== undefined && void moveChosen(only(jobId), { before: firstId });
      return { id: 'first', label: t`Run first`, onSelect };
    }
    case 'price':
      return { id: 'price', label: t`Set price`, onSelect: () => setPriceOf(jobId) };
    case 'key':
      return { id: 'key', label: t`Add the key`, onSelect: () => navigate('settings') };
    case 'mend':
      return { id: 'mend', label: t`Show it`, onSelect: () => navigate('queue', { job: jobId }) };
    case undefined:
      return undefined;
  }
}
