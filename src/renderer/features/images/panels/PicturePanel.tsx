import { Brush } from 'lucide-react';
import type { Job } from '../../../../shared/jobs/job.ts';
import { isRequestOf, KINDS, promptOf } from '../../../../shared/kinds/index.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { safeName } from '../../../../shared/text/safeText.ts';
import { t } from '../../../../shared/text/texts.ts';
import { ActionButton, navigate, useEntities } from '../../../app/index.ts';
import { downloadUrl } from '../../../client/index.ts';
import {
  Button,
  formatBytes,
  formatStamp,
  Icon,
  KeyValue,
  Panel,
  PriceTag,
  SaveLink,
  Section,
  StorageGlyph,
  TextAction,
} from '../../../ui/index.ts';
import { editFacts, madeWord } from '../model/gallery.ts';
import { paintAgain } from '../paintAgain.ts';
import { openPicture, useImages } from '../useImages.ts';
import { OneOfSeveral } from './EditPanel.tsx';
import { OutsideSection } from './OutsideSection.tsx';
import styles from './panels.module.css';

export function PicturePanel({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const words = job && promptOf(job.request);
  return (
    <Panel label={t`Picture`}>
      <div className="bar">
        <h2 className="cut" title={asset.name}>
          {madeWord(job)}
        </h2>
        <span className="grow" />
        <StorageGlyph storage={asset} />
      </div>
      <div className="scroll">
        {words && (
          <Section title={t`Prompt`}>
            <p className={`anywhere ${styles.words}`}>{words}</p>
          </Section>
        )}
        <Facts asset={asset} job={job} />
        <OutsideSection asset={asset} job={job} />
      </div>
      <PictureActions asset={asset} job={job} />
    </Panel>
  );
}

function Facts({ asset, job }: { asset: Asset; job: Job | undefined }) {
  return (
    <Section title={t`Info`}>
      <KeyValue
        items={[
          !job && [t`Name`, asset.name],
          asset.width > 0 && [t`Size`, `${asset.width} × ${asset.height}`],
          asset.bytes > 0 && [
            t`File`,
            `${asset.mime.replace('image/', '').toUpperCase()}, ${formatBytes(asset.bytes)}`,
          ],
          isRequestOf(KINDS.imagine, job?.request) && [t`Mode`, job.request.mode ?? t`Default`],
          [t`Made`, formatStamp(job?.finishedAt ?? asset.createdAt)],
          asset.role === 'source' &&
            asset.parentId !== undefined && [
              t`Made from`,
              <TextAction key="from" onClick={() => openPicture(asset.parentId ?? '')}>
                {t`Edit with original restored`}
              </TextAction>,
            ],
          job && [
            t`Cost`,
            <PriceTag
              key="cost"
              nano={job.money.chargedNano}
              lowNano={job.money.chargedLowNano}
              as="most"
              unpriced={job.money.unpriced}
            />,
          ],
          asset.jobId !== undefined && [
            t`Job`,
            <TextAction key="job" onClick={() => navigate('queue', { job: asset.jobId ?? '' })}>
              {t`Open in Queue`}
            </TextAction>,
          ],
        ]}
      />
    </Section>
  );
}

function PaintAgain({ job }: { job: Job | undefined }) {
  const jobs = useEntities((state) => state.jobs);
  const facts = job?.requestCut ? undefined : editFacts(job, jobs);
  const again = () => {
    if (!facts) return;
    const { assetId } = useImages.getState();
    useImages.setState({ isDrawerOpen: false });
    void paintAgain(facts, () => useImages.getState().assetId === assetId);
  };
  return facts ? (
    <ActionButton action="edit.again" onDo={again}>
      {t`Paint again`}
    </ActionButton>
  ) : null;
}

function PictureActions({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const off = asset.state === 'local' ? undefined : t`The picture is not stored here.`;
  return (
    <div className={`sendbar ${styles.waysOn}`}>
      <PaintAgain job={job} />
      <OneOfSeveral asset={asset} job={job} />
      <Button off={off} onClick={() => useImages.setState({ tab: 'edit', view: 'result', isDrawerOpen: false })}>
        <Icon of={Brush} />
        {t`Paint a mask and edit`}
      </Button>
      <SaveLink href={downloadUrl(asset.id)} name={safeName(asset.name)} off={off}>
        {t`Save a copy`}
      </SaveLink>
      <TextAction onClick={() => navigate('library', { asset: asset.id })}>{t`Open in Library`}</TextAction>
    </div>
  );
}
