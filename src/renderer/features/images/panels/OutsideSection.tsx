import { Columns2, Layers } from 'lucide-react';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, cacheAssets, useAsset, useEntities, useNow } from '../../../app/index.ts';
import type { OutsideChange } from '../../../canvas/index.ts';
import { uploadMedia } from '../../../client/index.ts';
import { useSpend } from '../../../spending/index.ts';
import { Button, formatWhen, Icon, KeyValue, rich, Section, Segmented } from '../../../ui/index.ts';
import { type EditFacts, editBeside } from '../model/gallery.ts';
import { lateOpening, openPicture, useImages } from '../useImages.ts';
import { restored, useOutsideChange } from '../useProof.ts';
import { Heat } from './Heat.tsx';
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
      {compared && !compared.error && !compared.change && <p className="t2">{t`The pictures have different sizes.`}</p>}
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
          {t`Before and after`}
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
              <span key="share">{rich`${<b>{percent(change.share)}</b>} of pixels changed`}</span>
            ),
          ],
          worst && [t`Mean and maximum`, t`ΔE ${change.mean.toFixed(1)}, ${worst.deltaE.toFixed(1)}`],
        ]}
      />
      <PutBack edit={edit} after={after} />
    </>
  );
}

const percent = (share: number): string =>
  share > 0 && share < 0.0005 ? '< 0.1 %' : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

const EDGES = ['0', '2', '4', '8'];

/** Creates a new picture: the edit inside the mask, the original outside. Nothing is sent. */
export function PutBack({ edit, after }: { edit: EditFacts; after: Asset }) {
  const feather = useImages((state) => state.feather);
  const { send, isBusy, error } = useSpend(async () => {
    const said = t`The picture is in Library`;
    const open = lateOpening(said);
    const file = await restored(edit, after, feather).catch(() => undefined);
    if (!file) return t`The pictures have different sizes.`;
    const name = t`${after.name.replace(/\.\w+$/, '')}, original restored.png`;
    const answer = await uploadMedia(file, name, { role: 'source', parent: after.id });
    if (!answer.ok) return answer.error.message;
    cacheAssets([answer.data]);
    announce(said);
    open(answer.data.id);
    return undefined;
  });
  return (
    <div className={`stack mt ${styles.backOutside}`}>
      <p className="t2">{t`Makes a new picture: edited inside, original outside. Free.`}</p>
      <Edge feather={feather} />
      <Button className={styles.putBack} busy={isBusy} onClick={() => void send()}>
        <Icon of={Layers} />
        {t`Restore original outside mask`}
      </Button>
      {error && <p className="t2">{error}</p>}
    </div>
  );
}

function Edge({ feather }: { feather: number }) {
  return (
    <div className={`row ${styles.edge}`}>
      <Segmented
        small
        aria-label={t`Feather`}
        value={EDGES.find((value) => value === String(feather)) ?? ''}
        onValue={(value) => useImages.setState({ feather: Number(value) })}
        options={EDGES.map((value) => ({ value, label: value === '0' ? t`Hard` : value }))}
      />
    </div>
  );
}
