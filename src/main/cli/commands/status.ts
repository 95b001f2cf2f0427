import type { QueueStatus } from '../../../shared/contract/events.ts';
import type { NightRun } from '../../../shared/jobs/night.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { type Command, done, failed } from '../command.ts';
import { columns, doubtWords, moneyWords } from '../words.ts';

/** Running, waiting and unconfirmed jobs, what today costs, the overnight run, and requests for approval. */
export const status: Command = {
  name: 'status',
  says: 'running, waiting and unconfirmed jobs, and what today costs',
  takes: [],
  options: {},
  async run({ link }) {
    const opened = await link();
    if (!opened.ok) return failed(opened.error);
    const { call, dataDir } = opened.data;
    const day = { from: new Date().setHours(0, 0, 0, 0), to: new Date().setHours(24, 0, 0, 0) };
    const [queue, totals, night, quotes] = await Promise.all([
      call('queue.status', {}),
      call('ledger.totals', { groupBy: 'kind', ...day }),
      call('night.get', {}),
      call('quotes.list', { state: 'open', limit: 1 }),
    ]);
    for (const answer of [queue, totals, night, quotes]) if (!answer.ok) return failed(answer.error);
    if (!queue.ok || !totals.ok || !night.ok || !quotes.ok) return failed({ code: 'internal', message: '' });
    const { running, waiting, paused, restoredFrom, waitsForRoom, offline, doubt } = queue.data;
    const { sum, play } = totals.data;
    const { current } = night.data;
    const today = { play, ...sum };
    const data = {
      dataDir,
      running,
      waiting,
      paused,
      ...(restoredFrom === undefined ? {} : { restoredFrom }),
      ...(waitsForRoom ? { waitsForRoom } : {}),
      offline,
      doubt,
      today,
      night: current,
      askedFromOutside: quotes.data.open,
    };
    return done(
      data,
      columns([
        ['Running', `${running}${heldWords(queue.data)}${offline ? ' (offline)' : ''}`],
        ['Waiting', String(waiting)],
        ['Unconfirmed', doubtWords(doubt)],
        [play ? 'Today (test money)' : 'Today', moneyWords(sum)],
        ['Overnight run', nightWords(current)],
        ['Approval requests', askedWords(quotes.data.open)],
      ]),
    );
  },
};

/** After a restore, queued jobs may have been sent since the backup. */
const heldWords = ({ paused, restoredFrom, waitsForRoom }: QueueStatus): string => {
  if (waitsForRoom) return ' (paused until the disk has room)';
  if (restoredFrom === undefined) return paused ? ' (the queue is paused)' : '';
  const at = new Date(restoredFrom).toLocaleString();
  return ` (the queue is paused: this is the backup of ${at}; waiting jobs may have been paid for since)`;
};

const NIGHT_STATES = { planned: 'scheduled', open: 'running', ended: 'ended' };

const nightWords = (night: NightRun | null): string =>
  night === null
    ? 'none is scheduled'
    : `${night.number}, ${NIGHT_STATES[night.state]}, ${night.start}–${night.end}, budget ${formatNano(night.capNano)}, ${night.jobs.waiting} waiting`;

function askedWords(open: number): string {
  if (open === 0) return 'none';
  return open === 1 ? '1 waits for you' : `${open} wait for you`;
}
