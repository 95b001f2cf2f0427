import { useMemo } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import type { NightReport } from '../../../shared/jobs/night.ts';
import { kindsWhere, makesFiles } from '../../../shared/kinds/index.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { hashOf, navigate, useCall, useEntities, useNow } from '../../app/index.ts';
import { AssetImage } from '../../ui/index.ts';
import { VERDICT_WORDS } from '../../words/index.ts';
import { NightFigures } from './night/NightReport.tsx';
import styles from './queue.module.css';

const DAY_MS = 86_400_000;

/** The last night, on the day after it and while it is open. */
export function Report() {
  const { data } = useCall('night.report', {}, { on: ['night.changed', 'job.changed', 'ledger.changed'] });
  const now = useNow(60_000);
  const isRecent = data && data.jobs > 0 && now < data.run.endsAt + RECENT_MS;
  return isRecent ? <LastNight report={data} /> : null;
}

const RECENT_MS = 14 * 3_600_000;

function LastNight({ report }: { report: NightReport }) {
  const { id, startsAt } = report.run;
  const jobs = useEndedSince(startsAt).filter(({ runId, state }) => runId === id && state === 'succeeded');
  return (
    <section className={styles.report} aria-label={t`Overnight run ${report.run.number}`}>
      <div>
        <NightFigures report={report} />
        {report.made > 0 && (
          <a className="lnk" href={hashOf('review', { run: id })}>
            {t`Review ${counted(report.made, 'take')}`}
          </a>
        )}
      </div>
      <ReportPictures jobs={jobs} />
    </section>
  );
}

/** Of the newest jobs, those that ended since a moment, for their pictures; the studio filters by creation, so a day before is asked for as well. */
function useEndedSince(since: number): Job[] {
  const { data } = useCall(
    'jobs.list',
    { states: ['succeeded', 'failed'], kinds: kindsWhere(makesFiles), from: since - DAY_MS, limit: 100 },
    { on: ['job.changed'] },
  );
  const jobs = useEntities((state) => state.jobs);
  return useMemo(
    () => (data?.jobs ?? []).map((job) => jobs.get(job.id) ?? job).filter((job) => (job.finishedAt ?? 0) >= since),
    [data, jobs, since],
  );
}

const SHOWN = 6;

function ReportPictures({ jobs }: { jobs: readonly Job[] }) {
  const shown = jobs.flatMap(({ id, outputs: [asset], verdict }) => (asset ? [{ id, asset, verdict }] : []));
  return (
    <div className={styles.repR}>
      {shown.slice(0, SHOWN).map(({ id, asset, verdict }) => (
        <button
          key={id}
          type="button"
          className={`media ${styles.picButton}`}
          onClick={() => navigate('library', { asset: asset.id })}
          aria-label={t`Show ${asset.name}${verdict ? `, ${VERDICT_WORDS[verdict]}` : ''} in the library`}
        >
          <AssetImage asset={asset} className="fill" />
          {verdict && <span className="ov br">{VERDICT_WORDS[verdict]}</span>}
        </button>
      ))}
    </div>
  );
}
