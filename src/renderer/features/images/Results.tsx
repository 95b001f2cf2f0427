import { Clapperboard, Columns2 } from 'lucide-react';
import { useEffect } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import { isRequestOf, KINDS, promptOf } from '../../../shared/kinds/index.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { ActionButton, navigate, printChord, useRunningWords } from '../../app/index.ts';
import { AssetImage, Button, Icon, JobStateGlyph, listBox, StoragePlate, Tabs, TextAction } from '../../ui/index.ts';
import { chooseNone, compareChosen, toggleChosen, useChosenLetter } from './compared.ts';
import styles from './images.module.css';
import { madeWord, type Picture } from './model/gallery.ts';
import { OpenButton } from './OpenButton.tsx';
import { type Gallery, openPicture, useImages } from './useImages.ts';

interface ResultsProps {
  gallery: Gallery;
  before: Asset | undefined;
}

/** Everything made here, newest first, or the versions of the open picture. */
export function Results({ gallery, before }: ResultsProps) {
  const strip = useImages((view) => view.strip);
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
      <Strip pictures={shown} asset={gallery.asset} hasMore={gallery.total > 60 && strip === 'all'} />
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
  return isRequestOf(KINDS.edit, job.request) ? t`Edit` : undefined;
}

function Tile({ picture: { job, asset }, isSelected }: { picture: Picture; isSelected: boolean }) {
  const words = job ? promptOf(job.request) : (asset?.name ?? '');
  const running = useRunningWords(asset ? undefined : job);
  const letter = useChosenLetter(asset?.id);
  const plate = plateOf(job, asset);
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
