import { Upload } from 'lucide-react';
import { clipRefOf, lastFrameOf } from '../../../../shared/board/shotLinks.ts';
import { pictureOf, takeEnd } from '../../../../shared/film/film.ts';
import { isWithoutResult } from '../../../../shared/jobs/job.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import type { MediaRef } from '../../../../shared/library/mediaRef.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useRunningWords } from '../../../app/index.ts';
import { LibraryChoices, PickerGroup } from '../../../media/LibraryChoices.tsx';
import libraryChoicesStyles from '../../../media/libraryChoices.module.css';
import { AssetImage, Button, Dialog, FileButton, Icon, JobStateGlyph } from '../../../ui/index.ts';
import type { ShotView, TakeView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import inspectorStyles from './inspector.module.css';

interface PickerProps {
  open: boolean;
  onClose: () => void;
  title: string;
  medium: 'image' | 'video';
  board: BoardHandle;
  view: ShotView;
  onPick: (ref: MediaRef) => void;
  onFile: (file: File) => Promise<void>;
}

/** A picture or clip for a slot: from another shot, from the library, or from this computer. */
export function MediaPicker(props: PickerProps) {
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={props.title}
      width={720}
      footer={<FromThisComputer {...props} />}
    >
      {props.open && <PickerBody {...props} />}
    </Dialog>
  );
}

function FromThisComputer({ medium, onFile, onClose }: PickerProps) {
  return (
    <>
      <Button variant="ghost" onClick={onClose}>
        {t`Cancel`}
      </Button>
      <FileButton
        label={t`File`}
        accept={medium === 'image' ? 'image/png,image/jpeg,image/webp' : 'video/mp4,video/webm,video/quicktime'}
        onFiles={([file]) => {
          onClose();
          void onFile(file);
        }}
      >
        <Button>
          <Icon of={Upload} />
          {t`From this computer`}
        </Button>
      </FileButton>
    </>
  );
}

function PickerBody({ medium, board, view, onPick }: PickerProps) {
  const takes = board.shots.filter(({ shot }) => shot.id !== view.shot.id).flatMap((other) => choicesOf(other, medium));
  return (
    <div className={libraryChoicesStyles.picker}>
      {takes.length > 0 && (
        <PickerGroup title={medium === 'image' ? t`Last frame of a take` : t`Takes`}>
          {takes.map(({ shot, take }) => (
            <TakeChoice key={take.jobId} board={board} shot={shot} take={take} medium={medium} onPick={onPick} />
          ))}
        </PickerGroup>
      )}
      <LibraryChoices medium={medium} onPick={(asset) => onPick(refOf(asset, medium))} />
    </div>
  );
}

/** A job's clip is referenced by its job, since only clips that the gateway made can be extended (spec 2.2). */
function refOf(asset: Asset, medium: 'image' | 'video'): MediaRef {
  if (medium === 'image' || asset.jobId === undefined) return { assetId: asset.id };
  return asset.outputIndex ? { jobId: asset.jobId, output: asset.outputIndex } : { jobId: asset.jobId };
}

/** The selected take, and takes in progress, for which a shot may wait. */
function choicesOf(shot: ShotView, medium: 'image' | 'video'): { shot: ShotView; take: TakeView }[] {
  const isUsable = ({ job }: TakeView) => job && !isWithoutResult(job);
  const takes = shot.takes.filter(isUsable);
  const chosen =
    medium === 'video' ? takes : takes.filter((take) => take === shot.active || take.job?.state !== 'succeeded');
  return chosen.map((take) => ({ shot, take }));
}

interface TakeChoiceProps {
  board: BoardHandle;
  shot: ShotView;
  take: TakeView;
  medium: 'image' | 'video';
  onPick: (ref: MediaRef) => void;
}

function TakeChoice({ board, shot, take, medium, onPick }: TakeChoiceProps) {
  const ref = medium === 'image' ? lastFrameOf(take) : clipRefOf(take);
  const { clip } = take;
  const end = takeEnd(take);
  const running = useRunningWords(take.job);
  const picture =
    medium === 'image' && clip && end !== undefined ? { ...clip, thumbnailId: end } : pictureOf(ref, board.media);
  return (
    <button type="button" className={libraryChoicesStyles.pickTile} onClick={() => onPick(ref)}>
      <span className={`media ${picture ? '' : inspectorStyles.none}`}>
        {picture && <AssetImage asset={picture} className="fill" />}
        {take.job && take.job.state !== 'succeeded' && (
          <span className="ov tl">
            <JobStateGlyph state={take.job.state} progress={take.job.progress}>
              {running}
            </JobStateGlyph>
          </span>
        )}
      </span>
      <span className="cut">{t`Shot ${shot.number} · take ${take.number}`}</span>
    </button>
  );
}
