import { type Job, pictureOfTask } from '../../../../shared/jobs/job.ts';
import { promptOf } from '../../../../shared/kinds/index.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { OutcomeLine } from '../../../app/index.ts';
import { Field, NumberInput, Section, TextAction, TextArea, Thumb } from '../../../ui/index.ts';
import { OUTCOME, openPicture, recallWords, useImages } from '../useImages.ts';
import { FormatFields, useImageFormat } from './FormatFields.tsx';
import { MaskSteps } from './MaskSteps.tsx';
import styles from './panels.module.css';

export function EditPanel({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const { editPrompt, timeout } = useImages();
  const format = useImageFormat();
  const words = job?.requestCut ? undefined : job && promptOf(job.request);
  return (
    <div className="scroll">
      <Section
        title={t`Edit prompt`}
        end={
          words &&
          words !== editPrompt && (
            <TextAction onClick={() => recallWords({ editPrompt: words })}>{t`Reuse prompt`}</TextAction>
          )
        }
      >
        <TextArea
          className={styles.editPrompt}
          aria-label={t`Edit prompt`}
          placeholder={
            format ? t`What should appear here?` : t`What should appear here? Leave empty to let the model decide.`
          }
          value={editPrompt}
          onValue={(value) => useImages.setState({ editPrompt: value })}
        />
        <OutcomeLine place={OUTCOME.editPrompt} />
      </Section>
      <Section title={t`Edit of`}>
        <div className="row">
          <Thumb asset={asset} />
          <span className="cut" title={asset.name}>
            {asset.name}
          </span>
        </div>
        {!format && <OneOfSeveral asset={asset} job={job} />}
        {format ? (
          <div className="g2 mt">
            <FormatFields {...format} />
          </div>
        ) : (
          <div className={`row ${styles.limit}`}>
            <Field label={t`Time limit`}>
              <NumberInput
                aria-label={t`Time limit`}
                value={timeout}
                onValue={(value) => useImages.setState({ timeout: value })}
                min={1}
                max={86_400}
                placeholder={t`None`}
              />
            </Field>
            <p className="t3">{t`The gateway does not state the unit. Sent as entered.`}</p>
          </div>
        )}
      </Section>
      <MaskSteps asset={asset} />
    </div>
  );
}

/**
 * Why a picture that does not identify its task cannot be edited (spec 4.4), shown before a mask is painted, with a link to one that can.
 */
export function OneOfSeveral({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const outputs = job?.outputs ?? [];
  const whole = pictureOfTask(outputs);
  if (whole?.id === asset.id || !outputs.some(({ id }) => id === asset.id)) return null;
  if (!whole) return <p className="t2">{t`This picture cannot be edited: its job has no image sheet.`}</p>;
  return (
    <p className="t2">
      {t`Edits apply to another picture of this job.`}{' '}
      <TextAction onClick={() => openPicture(whole.id)}>{t`Open the picture`}</TextAction>
    </p>
  );
}
