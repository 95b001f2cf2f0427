import { isTerminal, type Job, resultsOf } from '../../../shared/job.ts';
import { promptOf } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/texts.ts';
import { useEntities, useJob, useRunningWords } from '../../app/index.ts';
import { AssetImage, JobStateGlyph } from '../../ui/index.ts';
import { toggleChosen, useChosenLetter } from './compared.ts';
import { AxisGrid, type Place } from './panels/AxisGrid.tsx';
import styles from './panels/matrix.module.css';
import { openPicture, type SentMatrix, useImages } from './useImages.ts';

/** What came of the matrix that was sent last, each picture in the place of its prompt. */
export function MadeGrid({ matrix: { axes, jobIds } }: { matrix: SentMatrix }) {
  return (
    <div className={styles.madeGrid}>
      <AxisGrid
        axes={axes}
        label={t`Pictures of all combinations`}
        heading={(words) => (
          <span className={styles.axisHead} title={words}>
            {words.trim() || '–'}
          </span>
        )}
        cell={(index, place) => <Made jobId={jobIds[index]} place={place} />}
      />
    </div>
  );
}

function Made({ jobId, place }: { jobId: string | undefined; place: Place }) {
  const job = useJob(jobId);
  if (job) return <MadePicture job={job} place={place} />;
  return (
    <button type="button" {...place} className={`${styles.axisMade} ${styles.out}`} aria-disabled="true">
      {jobId === undefined ? t`not sent` : t`not known`}
    </button>
  );
}

function MadePicture({ job, place }: { job: Job; place: Place }) {
  const made = resultsOf(job)[0];
  const asset = useEntities(({ assets }) => made && (assets.get(made.id) ?? made));
  const isShown = useImages(({ assetId }) => asset !== undefined && asset.id === assetId);
  const letter = useChosenLetter(asset?.id);
  const running = useRunningWords(asset || isTerminal(job.state) ? undefined : job);
  return (
    <button
      type="button"
      {...place}
      className={styles.axisMade}
      title={promptOf(job.request)}
      aria-pressed={isShown}
      aria-disabled={asset === undefined}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        // Space chooses here, as in the strip; Enter opens.
        event.preventDefault();
        if (asset) toggleChosen(asset);
      }}
      onClick={({ ctrlKey, metaKey }) => {
        if (asset) ctrlKey || metaKey ? toggleChosen(asset) : openPicture(asset.id);
      }}
    >
      <span className="vh">{promptOf(job.request)} </span>
      {letter && <span className="ov tr">{letter}</span>}
      {asset ? (
        <AssetImage asset={asset} className="fill" />
      ) : (
        <JobStateGlyph state={job.state} progress={job.progress}>
          {running}
        </JobStateGlyph>
      )}
    </button>
  );
}
