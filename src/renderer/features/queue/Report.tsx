import type { NightReport } from '../../../shared/jobs/night.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { hashOf, navigate, useCall, useJob, useNow } from '../../app/index.ts';
import { AssetImage } from '../../ui/index.ts';
import { VERDICT_WORDS } from '../../words/index.ts';
import { NightFigures } from './night/NightReport.tsx';
import styles from './queue.module.css';

const RECENT_MS = 14 * 3_600_000;

/** The last overnight run, while it is open and on the day after. */
export function Report() {
  const { data } = useCall('night.report', {}, { on: ['night.changed', 'job.changed', 'ledger.changed'] });
  const now = useNow(60_000);
  const isRecent = data && data.jobs > 0 && now < data.run.endsAt + RECENT_MS;
  return isRecent ? <LastNight report={data} /> : null;
}

/** The most pictures shown, newest first. */
const SHOWN = 6;

function LastNight({ report }: { report: NightReport }) {
  const { run, made, sent } = report;
  const newest = sent
    .filter(({ state }) => state === 'succeeded')
    .sort((one, other) => (other.endsAt ?? 0) - (one.endsAt ?? 0));
  return (
    <section className={styles.report} aria-label={t`Overnight run ${run.number}`}>
      <div>
        <NightFigures report={report} />
        {made > 0 && (
          <a className="lnk" href={hashOf('review', { run: run.id })}>
            {t`Review ${counted(made, 'take')}`}
          </a>
        )}
      </div>
      <div className={styles.repR}>
        {newest.slice(0, SHOWN).map(({ jobId }) => (
          <MadePicture key={jobId} jobId={jobId} />
        ))}
      </div>
    </section>
  );
}

function MadePicture({ jobId }: { jobId: string }) {
  const { outputs: [asset] = [], verdict } = useJob(jobId) ?? {};
  if (!asset) return null;
  return (
    <button
      type="button"
      className={`media ${styles.picButton}`}
      onClick={() => navigate('library', { asset: asset.id })}
      aria-label={t`Show ${asset.name}${verdict ? `, ${VERDICT_WORDS[verdict]}` : ''} in the library`}
    >
      <AssetImage asset={asset} className="fill" />
      {verdict && <span className="ov br">{VERDICT_WORDS[verdict]}</span>}
    </button>
  );
}
