import type { Asset } from '../../../../shared/asset.ts';
import type { Job } from '../../../../shared/job.ts';
import { promptOf } from '../../../../shared/kinds/index.ts';
import { t } from '../../../../shared/texts.ts';
import { OutcomeLine } from '../../../app/index.ts';
import { Field, NumberInput, plural, Section, TextAction, TextArea, Thumb } from '../../../ui/index.ts';
import { OUTCOME, recallWords, useImages } from '../useImages.ts';
import { MaskSteps } from './MaskSteps.tsx';
import { OneOfSeveral } from './OneOfSeveral.tsx';
import styles from './panels.module.css';

export function EditPanel({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const { editPrompt, timeout } = useImages();
  const words = job?.requestCut ? undefined : job && promptOf(job.request);
  return (
    <div className="scroll">
      <Section title={t`Painted part`}>
        <TextArea
          className={styles.editPrompt}
          aria-label={t`Edit prompt`}
          placeholder={t`What should appear here? Leave empty to let the model decide.`}
          value={editPrompt}
          onValue={(value) => useImages.setState({ editPrompt: value })}
        />
        <div className={`row between t3 ${styles.form}`}>
          <span>{plural(editPrompt.length, 'character')}</span>
          {words && words !== editPrompt && (
            <TextAction onClick={() => recallWords({ editPrompt: words })}>{t`Recall prompt`}</TextAction>
          )}
        </div>
        <OutcomeLine place={OUTCOME.editPrompt} />
      </Section>
      <Section title={t`Edit of`}>
        <div className="row">
          <Thumb asset={asset} />
          <div className="col grow">
            <span className="cut" title={asset.name}>
              {asset.name}
            </span>
            <span className="t3 cut">
              {asset.width} × {asset.height}
            </span>
          </div>
        </div>
        <OneOfSeveral asset={asset} job={job} />
        <div className={`row ${styles.limit}`}>
          <Field label={t`Time limit`}>
            <NumberInput
              aria-label={t`Time limit`}
              value={timeout}
              onValue={(value) => useImages.setState({ timeout: value })}
              min={1}
              max={86_400}
              placeholder={t`none`}
            />
          </Field>
          <p className="t3">{t`The gateway does not say the unit. Sent as entered.`}</p>
        </div>
      </Section>
      <MaskSteps asset={asset} />
    </div>
  );
}
