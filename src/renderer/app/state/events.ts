import type { Job } from '../../../shared/jobs/job.ts';
import { kindOf, makesFiles } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import { onEvent, onLink, type StudioEvent } from '../../client/index.ts';
import { toast } from '../../ui/index.ts';
import { billSentence, STATE_WORDS, STORAGE_WORDS } from '../../words/index.ts';
import { announce } from '../announce.ts';
import { jobTitle } from '../jobTitle.ts';
import { navigate, parseRoute } from '../route.ts';
import { isOutdated, knownJob, markEntitiesStale, patchEntities } from './entities.ts';
import { takeHostEvent } from './hostEvents.ts';
import { patchIncidents } from './incidents.ts';
import { loadStudio, patchStudio, useStudio } from './studio.ts';

/** Connects the event stream to caches, toasts and announcements. Called once, at the start. */
export function startEvents(): void {
  // Notifications compare with the cached job, so they come first.
  for (const listener of [notifyUser, patchEntities, patchStudio, patchIncidents, takeHostEvent]) onEvent(listener);
  onLink((link) => {
    useStudio.setState(({ connection: life }) => ({ link, connection: link === 'up' ? life + 1 : life }));
    if (link !== 'up') return;
    markEntitiesStale();
    void loadStudio();
  });
}

const NOTIFIED_STATES = ['succeeded', 'failed', 'uncertain'];

function notifyUser(event: StudioEvent): void {
  if (event.type === 'job.changed') notifyJobEnd(event.job);
  // An unconfirmed job is reported by its own event, which has the amount.
  if (event.type === 'notice' && !(event.level === 'doubt' && event.jobId)) {
    const kind = event.level === 'error' ? 'fail' : event.level;
    const { jobId } = event;
    const show = jobId && { label: t`Show`, onAction: () => navigate('queue', { job: jobId }) };
    toast({ kind, text: event.text, about: jobId, ...(show ? { action: show } : {}) });
    if (event.urgent) announce(event.text, 'assertive');
  }
  if (event.type === 'store.checked' && !event.ok) toast({ kind: 'fail', text: event.message });
}

/** Whether the open page shows the job's end itself; toasts are for what happened elsewhere. */
function isInView(job: Job): boolean {
  const { page } = parseRoute(window.location.hash);
  if (page === 'queue') return true;
  if (page === 'library') return job.state === 'succeeded';
  if (kindOf(job).gallery !== page) return false;
  return page !== 'storyboard' || job.projectId === useStudio.getState().settings?.projectId;
}

/** One sentence for a job that has just ended or become unconfirmed. A text answer is shown where it is read. */
function notifyJobEnd(job: Job): void {
  const before = knownJob(job.id)?.state;
  if (before === job.state || !NOTIFIED_STATES.includes(job.state) || isOutdated(job)) return;
  const name = jobTitle(job);
  if (job.state === 'uncertain') {
    const text = `${t`No reply for ${name}. Dailies did not send it again.`} ${billSentence(job.money)}`;
    announce(text, 'assertive');
    if (isInView(job)) return;
    const resolve = { label: t`Resolve`, onAction: () => navigate('queue', { job: job.id }) };
    toast({ kind: 'doubt', text, about: job.id, action: resolve });
    return;
  }
  announce(`${name}: ${STATE_WORDS[job.state]}`);
  if (!makesFiles(kindOf(job)) || before === undefined || isInView(job)) return;
  const asset = job.outputs[0];
  if (job.state === 'failed') {
    const text = `${name}: ${job.error?.message ?? STATE_WORDS.failed}`;
    const show = { label: t`Show`, onAction: () => navigate('queue', { job: job.id }) };
    toast({ kind: 'fail', text, about: job.id, action: show });
  } else if (asset) {
    const text = `${name}: ${STORAGE_WORDS[asset.state]}`;
    const show = { label: t`Show`, onAction: () => navigate('library', { asset: asset.id }) };
    toast({ text, about: job.id, action: show });
  }
}
