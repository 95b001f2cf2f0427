import { Columns2 } from 'lucide-react';
import type { Asset } from '../../../../shared/asset.ts';
import type { Job } from '../../../../shared/job.ts';
import { t } from '../../../../shared/texts.ts';
import { useAsset, useEntities, useNow } from '../../../app/index.ts';
import type { OutsideChange } from '../../../canvas/index.ts';
import { Button, formatWhen, Icon, KeyValue, Section } from '../../../ui/index.ts';
import { type EditFacts, editBeside } from '../model/gallery.ts';
import { openPicture, useImages } from '../useImages.ts';
import { useOutsideChange } from '../useProof.ts';
import { Heat } from './Heat.tsx';
import { PutBack } from './PutBack.tsx';
import styles from './panels.module.css';

export function OutsideSection({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const jobs = useEntities((state) => state.jobs);
  const edit = editBeside(asset, jobs);
  const resultId = edit?.job === job || edit?.job.id === asset.jobId ? asset.id : edit?.job.outputs[0]?.id;
  const after = useAsset(resultId);
  const now = useNow();
  const compared = useOutsideChange(edit, after);
  if (!edit || !after) return null;
  const time = edit.job.finishedAt ?? edit.job.createdAt;
  return (
    <Section title={t`Changes outside the mask`} end={<span className="t3 nw">{formatWhen(time, now)}</span>}>
      {!compared && <p className="t3">{t`Comparing…`}</p>}
      {compared?.error && <p className="t2">{compared.error}</p>}
      {compared && !compared.error && !compared.change && (
        <p className="t2">{t`The edit has another size, so it cannot be compared.`}</p>
      )}
      {compared?.change && <Change change={compared.change} edit={edit} after={after} />}
      {after.id !== asset.id && (
        <Button
          className={styles.putBack}
          onClick={() => {
            openPicture(after.id, 'slider');
            useImages.setState({ tab: 'imagine', isDrawerOpen: false });
          }}
        >
          <Icon of={Columns2} />
          {t`See before and after`}
        </Button>
      )}
    </Section>
  );
}

function Change({ change, edit, after }: { change: OutsideChange; edit: EditFacts; after: Asset }) {
  const { worst } = change;
  return (
    <>
      <Heat change={change} edit={edit} after={after} />
      <KeyValue
        items={[
          [
            t`Outside mask`,
            change.identical ? (
              <b key="share">{t`No pixel differs`}</b>
            ) : (
              <span key="share">
                <b>{percent(change.share)}</b> {t`of pixels changed`}
              </span>
            ),
          ],
          worst && [
            t`Mean, worst`,
            <span key="worst">
              {t`ΔE ${change.mean.toFixed(1)}, ${worst.deltaE.toFixed(1)}`}{' '}
              <span className="t3">{t`at x ${worst.x} y ${worst.y}`}</span>
            </span>,
          ],
        ]}
      />
      <PutBack edit={edit} after={after} />
    </>
  );
}

const percent = (share: number): string =>
  share > 0 && share < 0.0005 ? '< 0.1 %' : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
