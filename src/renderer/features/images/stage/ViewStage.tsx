import { PanelRight } from 'lucide-react';
import { undisplayedNote } from '../../../../shared/jobs/resultWords.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { ActionChoice, type ActionId } from '../../../app/index.ts';
import { mediaUrl } from '../../../client/index.ts';
import { DownloadNow } from '../../../media/DownloadNow.tsx';
import { SaveCopy } from '../../../media/SaveCopy.tsx';
import { shapeOf, Wipe } from '../../../media/Wipe.tsx';
import wipeStyles from '../../../media/wipe.module.css';
import { Button, Icon, StorageGlyph } from '../../../ui/index.ts';
import imagesStyles from '../images.module.css';
import type { EditFacts } from '../model/gallery.ts';
import { ChangedPicture } from '../panels/Heat.tsx';
import { type EditView, useImages } from '../useImages.ts';

interface ViewStageProps {
  asset: Asset;
  /** The original of an edit, or of a picture with the original restored. */
  before: Asset | undefined;
  edit: EditFacts | undefined;
}

export function ViewStage(props: ViewStageProps) {
  return (
    <div className={`${imagesStyles.stage} ${imagesStyles.plain}`}>
      <div className={imagesStyles.canvas}>
        {props.asset.state === 'local' ? <Seen {...props} /> : <Away asset={props.asset} />}
      </div>
    </div>
  );
}

function Seen({ asset, before, edit }: ViewStageProps) {
  const view = useImages((state) => state.view);
  const note = undisplayedNote(asset);
  if (note !== undefined)
    return (
      <div className={imagesStyles.plate}>
        <SaveCopy asset={asset} why={note} />
      </div>
    );
  if (view === 'changed' && edit) return <ChangedPicture edit={edit} after={asset} />;
  if (view === 'result' || view === 'changed' || !before) return <Picture asset={asset} />;
  if (view === 'slider')
    return <Wipe left={before} right={asset} names={{ left: 'before', right: 'after' }} label={t`Before and after`} />;
  return before.state === 'local' ? <Picture asset={before} /> : <Away asset={before} />;
}

function whyAway({ state, deleted }: Asset): string {
  if (deleted) return t`This picture was deleted.`;
  return state === 'remote' ? t`This picture is only at the gateway.` : t`The link to this picture has expired.`;
}

/** A picture that is not on this computer: where it is, for how long, and a button to download it. */
function Away({ asset }: { asset: Asset }) {
  return (
    <div className={imagesStyles.plate}>
      <p>{whyAway(asset)}</p>
      <StorageGlyph storage={asset} />
      <DownloadNow asset={asset} />
    </div>
  );
}

function Picture({ asset }: { asset: Asset }) {
  return (
    <div className={wipeStyles.pic} style={shapeOf(asset)}>
      <img src={mediaUrl(asset.id)} alt={asset.name} draggable={false} />
    </div>
  );
}

export function ViewBar({ asset, title, before, edit }: ViewStageProps & { title: string }) {
  return (
    <div className="bar">
      <span className="b cut">{title}</span>
      {asset.width > 0 && (
        <span className="t3">
          {asset.width} × {asset.height}
        </span>
      )}
      {before && asset.state === 'local' && <EditViews hasMask={edit !== undefined} />}
      <span className="grow" />
      <FactsButton />
    </div>
  );
}

function FactsButton() {
  const isDrawerOpen = useImages((state) => state.isDrawerOpen);
  return (
    <Button
      variant="ghost"
      className="drawer-tab"
      aria-pressed={isDrawerOpen}
      onClick={() => useImages.setState({ isDrawerOpen: !isDrawerOpen })}
    >
      <Icon of={PanelRight} />
      {t`Info`}
    </Button>
  );
}

const VIEWS = [
  { value: 'result', label: t`Result`, action: 'edit.result' },
  { value: 'original', label: t`Original`, action: 'edit.original' },
  { value: 'slider', label: t`Slider`, action: 'edit.slider' },
  { value: 'changed', label: t`Changes`, action: 'edit.changed' },
] as const satisfies readonly { value: EditView; label: string; action: ActionId }[];

/** Views of an edit beside its original. Changes can be shown only if the mask is known. */
function EditViews({ hasMask }: { hasMask: boolean }) {
  const view = useImages((state) => state.view);
  return (
    <ActionChoice
      small
      aria-label={t`View`}
      value={view}
      onValue={(next) => useImages.setState({ view: next })}
      options={VIEWS.filter(({ value }) => value !== 'changed' || hasMask)}
    />
  );
}
