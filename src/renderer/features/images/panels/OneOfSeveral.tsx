import type { Asset } from '../../../../shared/asset.ts';
import { type Job, pictureOfTask, resultsOf } from '../../../../shared/job.ts';
import { t } from '../../../../shared/texts.ts';
import { TextAction } from '../../../ui/index.ts';
import { openPicture } from '../useImages.ts';

/** Why what does not stand for its task is not edited (spec 4.4), before a mask is painted, and the way to what can be. */
export function OneOfSeveral({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const outputs = job?.outputs ?? [];
  const whole = pictureOfTask(outputs);
  if (whole?.id === asset.id || !outputs.some(({ id }) => id === asset.id)) return null;
  const count = resultsOf({ outputs }).length;
  if (!whole)
    return (
      <p className="t2">{t`This is one of ${count} pictures of a job without an image sheet. It cannot be edited.`}</p>
    );
  return (
    <p className="t2">
      {count === 1
        ? t`Edits apply to the picture, not to its sheet.`
        : t`Edits apply to the sheet of these ${count} pictures.`}{' '}
      <TextAction onClick={() => openPicture(whole.id)}>
        {count === 1 ? t`Open the picture` : t`Open the sheet`}
      </TextAction>
    </p>
  );
}
