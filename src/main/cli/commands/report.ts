import type { NightReport } from '../../../shared/jobs/night.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { type Command, done, failed, wrongUsage } from '../command.ts';
import { columns, moneyWords, name, priceWords } from '../words.ts';

/** The morning report of an overnight run. */
export const report: Command = {
  name: 'report',
  says: 'the morning report of the last overnight run, or of the one that began on a day',
  takes: [],
  options: { night: { type: 'string', value: 'DATE', says: 'the local day on which it began, such as 2026-11-21' } },
  async run({ flags, link }) {
    const date = flags.night as string | undefined;
    if (date !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(date))
      return wrongUsage('--night must be a day such as 2026-11-21.');
    const opened = await link();
    if (!opened.ok) return failed(opened.error);
    const answer = await opened.data.call('night.report', date === undefined ? {} : { date });
    return answer.ok ? done(answer.data, wordsOf(answer.data)) : failed(answer.error);
  },
};

function wordsOf({ run, spent, corrected, ...counts }: NightReport): string[] {
  const { made, kept, failed: failures, refused, canceled, inDoubt, underWay, notRun } = counts;
  const rows: [string, string][] = [
    [
      'Overnight run',
      `${run.number}, ${new Date(run.startsAt).toLocaleString()} to ${new Date(run.endsAt).toLocaleString()}`,
    ],
    ['Made', `${made} of ${counts.jobs}, ${kept} kept`],
    ['Not made', `${failures} failed, ${refused} refused, ${canceled} canceled, ${notRun} not run`],
    ['Open', `${underWay} under way, ${inDoubt} unconfirmed`],
    [
      'Planned',
      priceWords({
        lowNano: counts.plannedLowNano,
        estimateNano: counts.plannedNano,
        unpriced: counts.plannedUnpriced,
      }),
    ],
    [run.play ? 'Spent (test money)' : 'Spent', moneyWords(spent)],
    ...(corrected.settledNano === 0 ? [] : [['Charged since', formatNano(corrected.settledNano)] as [string, string]]),
  ];
  const end = run.endedText === undefined ? [] : [run.endedText];
  return [...columns(rows), ...end, ...counts.notRunJobs.slice(0, 20).map(({ message }) => `- ${name(message)}`)];
}
