import { Clapperboard, Columns2 } from 'lucide-react';
import { useEffect } from 'react';
import { isTerminal, type Job, resultsOf } from '../../../shared/jobs/job.ts';
import { isRequestOf, KINDS, promptOf } from '../../../shared/kinds/index.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { ActionButton, navigate, printChord, useEntities, useJob, useRunningWords } from '../../app/index.ts';
import { AssetImage, Button, Icon, JobStateGlyph, listBox, StoragePlate, Tabs, TextAction } from '../../ui/index.ts';
import { chooseNone, compareChosen, toggleChosen, useChosenLetter } from './compared.ts';
import styles from './images.module.css';
import { madeWord, type Picture } from './model/gallery.ts';
import { OpenButton } from './OpenButton.tsx';
import { AxisGrid, type Place } from './panels/AxisGrid.tsx';
import matrixStyles from './panels/matrix.module.css';
import { type Gallery, openPicture, type SentMatrix, useImages } from './useImages.ts';

interface ResultsProps {
  gallery: Gallery;
  before: Asset | undefined;
}

/** Everything that was made here, newest first, or the versions of the picture on the stage. */
export function Results({ gallery, before }: ResultsProps) {
  const { sentMatrix, ...view } = useImages();
  const strip = view.strip === 'matrix' && !sentMatrix ? 'all' : view.strip;
  const shown = strip === 'family' && gallery.asset ? gallery.family : gallery.pictures;
  return (
    <div className={styles.results} data-panel tabIndex={-1}>
      <div className="bar sub">
        <Tabs
          aria-label={t`Pictures`}
          value={strip}
          onValue={(next) => useImages.setState({ strip: next })}
          items={[
            { value: 'family', label: t`This picture`, count: gallery.family.length },
            { value: 'all', label: t`All images`, count: gallery.pictures.length },
            ...(sentMatrix ? [matrixTab(sentMatrix)] : []),
          ]}
        />
        <span className="grow" />
        <CompareButton before={before} />
        <OpenButton />
        <Button
          variant="ghost"
          off={gallery.asset?.state === 'local' ? undefined : t`The picture is not stored here.`}
          onClick={() => gallery.asset && navigate('storyboard', { frame: gallery.asset.id })}
        >
          <Icon of={Clapperboard} />
          {t`Use as frame`}
        </Button>
      </div>
      {strip === 'matrix' && sentMatrix ? (
        <MadeGrid matrix={sentMatrix} />
      ) : (
        <Strip pictures={shown} asset={gallery.asset} hasMore={gallery.total > 60 && strip === 'all'} />
      )}
    </div>
  );
}

function CompareButton({ before }: { before: Asset | undefined }) {
  const { view, tab, compared } = useImages();
  const isChosen = compared.length > 0;
  const off = isChosen || before ? undefined : t`Select two to four pictures with Space or ${printChord('Mod')}-click.`;
  const compare = () => {
    if (isChosen) compareChosen();
    else useImages.setState({ view: view === 'slider' ? 'result' : 'slider', tab: 'imagine' });
  };
  const isOn = !isChosen && tab === 'imagine' && view === 'slider' && before !== undefined;
  return (
    <>
      {isChosen && <TextAction onClick={chooseNone}>{t`Select none`}</TextAction>}
      <ActionButton variant="ghost" action="painter.compare" aria-pressed={isOn} off={off} onDo={compare}>
        <Icon of={Columns2} />
        {isChosen ? t`Compare ${compared.length}` : t`Compare`}
      </ActionButton>
    </>
  );
}

const matrixTab = ({ jobIds }: SentMatrix) => ({
  value: 'matrix' as const,
  label: t`Combinations`,
  count: jobIds.filter((id) => id !== undefined).length,
});

interface StripProps {
  pictures: readonly Picture[];
  asset: Asset | undefined;
  hasMore: boolean;
}

const tileId = (assetId: string): string => `picture-${assetId}`;

function Strip({ pictures, asset, hasMore }: StripProps) {
  useEffect(() => {
    if (asset) document.getElementById(tileId(asset.id))?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [asset]);
  const list = listBox({
    ids: pictures.flatMap((picture) => picture.asset?.id ?? []),
    chosen: asset?.id,
    onChoose: openPicture,
    onToggle: () => asset && toggleChosen(asset),
    elementId: tileId,
    isHorizontal: true,
  });
  if (pictures.length === 0) return null;
  return (
    <div className={`row ${styles.strip}`}>
      <div className={styles.tiles} role="listbox" aria-label={t`Pictures`} {...list}>
        {pictures.map((picture) => (
          <Tile
            key={picture.asset?.id ?? picture.job?.id}
            picture={picture}
            isSelected={picture.asset !== undefined && picture.asset.id === asset?.id}
          />
        ))}
      </div>
      {hasMore && <TextAction onClick={() => navigate('library')}>{t`Open in Library`}</TextAction>}
    </div>
  );
}

function plateOf(job: Job | undefined, asset: Asset | undefined): string | undefined {
  if (!job) return asset?.parentId === undefined ? t`Imported` : t`Restored`;
  return isRequestOf(KINDS.edit, job.request) ? 'edit' : undefined;
}

function Tile({ picture: { job, asset }, isSelected }: { picture: Picture; isSelected: boolean }) {
  const isPainting = useImages((state) => state.tab === 'edit') && isSelected;
  const words = job ? promptOf(job.request) : (asset?.name ?? '');
  const running = useRunningWords(asset ? undefined : job);
  const letter = useChosenLetter(asset?.id);
  const plate = isPainting ? 'painting' : plateOf(job, asset);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list box holds the focus and names its active tile.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box owns the keys.
    <div
      id={asset && tileId(asset.id)}
      role="option"
      aria-selected={isSelected}
      title={words}
      className={`tile ${isSelected ? 'sel' : ''}`}
      onClick={({ ctrlKey, metaKey }) => {
        if (asset) ctrlKey || metaKey ? toggleChosen(asset) : openPicture(asset.id);
      }}
    >
      <span className="vh">
        {madeWord(job)}: {words || t`Untitled`}{' '}
      </span>
      <div className={`media ${asset ? '' : styles.none}`}>
        {asset && <AssetImage asset={asset} className="fill" />}
        {!asset && job && (
          <JobStateGlyph state={job.state} progress={job.progress}>
            {running}
          </JobStateGlyph>
        )}
        {plate && <span className="ov tl">{plate}</span>}
        {letter && <span className="ov tr">{letter}</span>}
        {asset && <StoragePlate storage={asset} />}
      </div>
    </div>
  );
}

/** What came of the matrix that was sent last, each picture in the place of its prompt. */
function MadeGrid({ matrix: { axes, jobIds } }: { matrix: SentMatrix }) {
  return (
    <div className={matrixStyles.madeGrid}>
      <AxisGrid
        axes={axes}
        label={t`Combinations`}
        heading={(words) => (
          <span className={matrixStyles.axisHead} title={words}>
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
    <button type="button" {...place} className={`${matrixStyles.axisMade} ${matrixStyles.out}`} aria-disabled="true">
      {jobId === undefined ? t`Not sent` : t`Not known`}
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
      className={matrixStyles.axisMade}
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
