import type { Asset } from '../../../../shared/asset.ts';
import { type Job, pictureOfTask, resultsOf } from '../../../../shared/job.ts';
import { t } from '../../../../shared/texts.ts';
import { TextAction } from '../../../ui/index.ts';
import { openPicture } from '../useImages.ts';

/** Why one of several pictures of a task is not edited, before a mask is painted, and the way to the sheet, which can be (spec 4.4). */
export function OneOfSeveral({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const results = job ? resultsOf(job) : [];
  if (results.length < 2 || !results.some(({ id }) => id === asset.id)) return null;
  const sheet = job && pictureOfTask(job.outputs);
  const count = results.length;
  return sheet ? (
    <p className="t2">
      {t`An edit names a task, and this is one of the ${count} pictures of its task: only their sheet can be edited.`}{' '}
      <TextAction onClick={() => openPicture(sheet.id)}>{t`Open the sheet`}</TextAction>
    </p>
  ) : (
    <p className="t2">
      {t`An edit names a task, and this is one of the ${count} pictures of its task, which has no sheet of them: none of them can be edited.`}
    </p>
  );
}
