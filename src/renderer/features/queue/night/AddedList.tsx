import { formatNano } from '../../../../shared/money.ts';
import type { AddedFit, AddedUnfit, DryRun } from '../../../../shared/night.ts';
import { counted, inflected, t } from '../../../../shared/texts.ts';
import { formatClock } from '../../../ui/index.ts';
import { useFirst } from './longList.tsx';
import styles from './night.module.css';

/** The jobs that came along, where the lists of the night are behind a dialog: which fit and when, and why the others do not. */
export function AddedList({ added: { fits, fitCount, unfit, unfitCount } }: { added: NonNullable<DryRun['added']> }) {
  return (
    <section className={styles.added} aria-label={t`Jobs to add`}>
      {fitCount > 0 && (
        <Part title={t`${counted(fitCount, 'job')} ${inflected(fitCount, 'fits', 'fit')}`} jobs={fits} />
      )}
      {unfitCount > 0 && (
        <Part title={t`${counted(unfitCount, 'job')} ${inflected(unfitCount, 'does', 'do')} not fit`} jobs={unfit} />
      )}
    </section>
  );
}

function Part({ title, jobs }: { title: string; jobs: readonly (AddedFit | AddedUnfit)[] }) {
  const { shown, more } = useFirst(jobs);
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {shown.map((job, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a job that is not queued has no other identity than its place.
          <li key={index}>
            <div className="row between">
              <span className="cut">{job.title}</span>
              <span className="t3 nw">
                {'reason' in job ? formatNano(job.nano) : t`at ${formatClock(job.startsAt)}`}
              </span>
            </div>
            {'reason' in job && <div className="t3 whole">{job.message}</div>}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
