import { useEffect } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import { escapePrompt } from '../../../shared/jobs/promptMatrix.ts';
import type { ImagineRequest } from '../../../shared/kinds/imagine.ts';
import { isRequestOf, KINDS, promptOf } from '../../../shared/kinds/index.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { OutcomeLine, replaceParams, useAsset, useEntities, usePlace, useRoute, useWholeJob } from '../../app/index.ts';
import { dropHandlers, usePastedFiles } from '../../media/givenFiles.ts';
import { EmptyState, Panel, Reading, Tabs } from '../../ui/index.ts';
import styles from './images.module.css';
import { type EditFacts, editFacts } from './model/gallery.ts';
import { OpenButton, openFiles } from './OpenButton.tsx';
import { paintAgain } from './paintAgain.ts';
import { EditPanel } from './panels/EditPanel.tsx';
import { ImaginePanel } from './panels/ImaginePanel.tsx';
import { PicturePanel } from './panels/PicturePanel.tsx';
import { ProofPanel } from './panels/ProofPanel.tsx';
import { Results } from './Results.tsx';
import { PainterStage } from './stage/PainterStage.tsx';
import { ToolBar } from './stage/ToolBar.tsx';
import { ViewBar, ViewStage } from './stage/ViewStage.tsx';
import { type Gallery, OUTCOME, recallWords, useGallery, useImages } from './useImages.ts';

/** Pictures: prompt left, picture middle, proof right, in the order of work (spec 4.2, 4.4). */
export function ImagesPage() {
  const gallery = useGallery();
  useRemade();
  const { tab, isDrawerOpen } = useImages();
  const { asset } = gallery;
  const job = useWholeJob(asset?.jobId);
  const isEditing = tab === 'edit' && asset !== undefined;
  usePlace(isEditing ? 'painter' : 'viewer');
  usePastedFiles(takeFiles);
  return (
    <main
      data-page="images"
      className={`page ${styles.images} ${isEditing ? styles.editing : styles.imagining} ${isDrawerOpen ? 'drawer' : ''}`}
      {...dropHandlers(takeFiles)}
    >
      <h1 className="vh">{t`Images`}</h1>
      <Panel label={t`Prompt`} side="left">
        <div className="bar">
          <Tabs
            aria-label={t`Images`}
            value={isEditing ? 'edit' : 'imagine'}
            onValue={(next) => useImages.setState({ tab: next, isDrawerOpen: false })}
            items={asset ? TABS : TABS.slice(0, 1)}
          />
        </div>
        <h2 className="vh">{isEditing ? t`Edit` : t`New image`}</h2>
        {isEditing ? <EditPanel asset={asset} job={job} /> : <ImaginePanel shownJob={job} />}
      </Panel>
      <Middle gallery={gallery} job={job} isEditing={isEditing} />
      {asset && isEditing && <ProofPanel key={asset.id} asset={asset} job={job} />}
      {asset && !isEditing && <PicturePanel asset={asset} job={job} />}
    </main>
  );
}

const takeFiles = ({ files }: DataTransfer) => openFiles(files);

const TABS = [
  { value: 'imagine', label: t`New image` },
  { value: 'edit', label: t`Edit` },
] as const;

interface MiddleProps {
  gallery: Gallery;
  job: Job | undefined;
  isEditing: boolean;
}

function Middle({ gallery, job, isEditing }: MiddleProps) {
  const { asset, pictures, read } = gallery;
  const jobs = useEntities((state) => state.jobs);
  const facts = editFacts(job, jobs);
  const before = useAsset(facts?.baseId ?? (asset?.role === 'source' ? asset.parentId : undefined));
  return (
    <section className={styles.paint} aria-label={isEditing ? t`Mask painter` : t`Viewer`} data-panel tabIndex={-1}>
      {asset ? (
        <OnStage gallery={gallery} asset={asset} before={before} facts={facts} isEditing={isEditing} />
      ) : (
        <NoPicture gallery={gallery} />
      )}
      {isEditing && <OutcomeLine place={OUTCOME.mask} />}
      {read.error && pictures.length > 0 && <Reading of={read} />}
      {pictures.length > 0 && <Results gallery={gallery} before={before} />}
    </section>
  );
}

interface OnStageProps extends Pick<MiddleProps, 'gallery' | 'isEditing'> {
  asset: Asset;
  before: Asset | undefined;
  facts: EditFacts | undefined;
}

function OnStage({ gallery: { pictures }, asset, before, facts, isEditing }: OnStageProps) {
  const at = pictures.findIndex((picture) => picture.asset?.id === asset.id);
  const title = at < 0 ? asset.name : t`Image ${at + 1} of ${pictures.length}`;
  return (
    <>
      {isEditing ? <ToolBar asset={asset} /> : <ViewBar asset={asset} title={title} before={before} edit={facts} />}
      {isEditing && asset.state === 'local' && asset.width > 0 ? (
        <PainterStage key={asset.id} asset={asset} />
      ) : (
        <ViewStage asset={asset} before={before} edit={facts} />
      )}
    </>
  );
}

function NoPicture({ gallery }: { gallery: Gallery }) {
  const { read } = gallery;
  return (
    <div className={styles.noPicture}>
      {read.loading || read.error ? (
        <Reading of={read} rows={5} media />
      ) : (
        <EmptyState
          title={gallery.pictures.length > 0 ? t`The first picture is being made` : t`No picture yet`}
          action={<OpenButton />}
        >
          {gallery.pictures.length > 0 ? undefined : t`Describe the picture.`}
        </EmptyState>
      )}
    </div>
  );
}

/** Opens an existing picture with its prompt, to make it again (`?remake=ID`) or to edit it (`?remix=ID`). */
export function useRemade(): void {
  const { params } = useRoute();
  const isRemix = params.has('remix');
  const asset = useAsset(params.get('remake') ?? params.get('remix') ?? undefined);
  const job = useWholeJob(asset?.jobId);
  useEffect(() => {
    const prompt = job && promptOf(job.request);
    if (!asset || !job || job.requestCut || prompt === undefined) return;
    const { request } = job;
    const edit = isRemix ? undefined : editFacts(job, useEntities.getState().jobs);
    if (edit) {
      let isWanted = true;
      void paintAgain(edit, () => isWanted).then((isOpen) => isOpen && replaceParams('images', { asset: edit.baseId }));
      return () => {
        isWanted = false;
      };
    }
    if (isRemix || isRequestOf(KINDS.edit, request))
      recallWords({ tab: 'edit', editPrompt: prompt }, { picture: asset.id });
    else {
      const mode = isRequestOf(KINDS.imagine, request) ? modeOf(request) : {};
      recallWords({ tab: 'imagine', prompt: escapePrompt(prompt), ...mode }, { picture: asset.id });
    }
    replaceParams('images', { asset: asset.id });
  }, [asset, job, isRemix]);
}

const modeOf = ({ mode = 'fast' }: Pick<ImagineRequest, 'mode'>) => ({ mode });
