import { ImagePlus, Upload, X } from 'lucide-react';
import { useState } from 'react';
import { MAX_MESSAGE_PICTURES } from '../../../shared/kinds/chat.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { announce, navigate, useEntities } from '../../app/index.ts';
import { importFiles, useImporting } from '../../media/importing.ts';
import { LibraryChoices } from '../../media/LibraryChoices.tsx';
import libraryChoicesStyles from '../../media/libraryChoices.module.css';
import { useKnownMedia } from '../../media/useMedia.ts';
import { AssetImage, Button, Dialog, FileButton, Icon, StoragePlate, TextAction } from '../../ui/index.ts';
import messageStyles from './message.module.css';
import { draftOf, NEW, setDraft, useChat } from './state.ts';

/** Pictures of the library attached to a message for the model. */

interface DraftPicturesProps {
  draftKey: string;
  pictures: readonly string[];
}

/** Opens the library. A click attaches a picture, or detaches it. */
export function AddPictures({ draftKey, pictures }: DraftPicturesProps) {
  const [isOpen, setOpen] = useState(false);
  const add = (asset: Asset) => addPicture(draftKey, asset);
  const remove = ({ id }: Asset) => changePictures(draftKey, (chosen) => chosen.filter((other) => other !== id));
  const toggle = (asset: Asset) => (pictures.includes(asset.id) ? remove(asset) : add(asset));
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        <Icon of={ImagePlus} />
        {t`Attach`}
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={t`Attach pictures`}
        width={720}
        footer={
          <>
            <span className="t3 grow" role="status">
              {t`${pictures.length} of at most ${MAX_MESSAGE_PICTURES}`}
            </span>
            <FromThisComputer onTaken={add} />
            <Button onClick={close}>{t`Done`}</Button>
          </>
        }
      >
        {isOpen && (
          <div className={libraryChoicesStyles.picker}>
            <LibraryChoices medium="image" onPick={toggle} chosen={new Set(pictures)} />
          </div>
        )}
      </Dialog>
    </>
  );
}

/** Attaches dropped or pasted pictures to the message in the box. */
export function takePictures({ files }: DataTransfer): void {
  const draftKey = useChat.getState().selectedId ?? NEW;
  void importFiles([...files], (asset) => {
    if (asset.mime.startsWith('image/')) addPicture(draftKey, asset);
    else announce(t`${asset.name} is in the library. A message shows pictures only.`, 'assertive');
  });
}

const addPicture = (draftKey: string, { id }: Asset) =>
  changePictures(draftKey, (chosen) => (chosen.includes(id) ? chosen : [...chosen, id]));

/** Several changes may follow each other, so each starts from the current state. */
function changePictures(key: string, change: (pictures: readonly string[]) => readonly string[]): void {
  const pictures = change(draftOf(useChat.getState(), key).pictures ?? []);
  if (pictures.length > MAX_MESSAGE_PICTURES) announce(t`A message shows at most ${MAX_MESSAGE_PICTURES} pictures.`);
  setDraft(key, { pictures: pictures.slice(0, MAX_MESSAGE_PICTURES) });
}

function FromThisComputer({ onTaken }: { onTaken: (asset: Asset) => void }) {
  const refused = useImporting((state) => state.refused);
  return (
    <>
      {refused.length > 0 && <span className="err">{refused[0]}</span>}
      <FileButton
        label={t`File`}
        accept="image/png,image/jpeg,image/webp,image/gif"
        multiple
        onFiles={(files) => void importFiles(files, onTaken)}
      >
        <Button>
          <Icon of={Upload} />
          {t`From this computer`}
        </Button>
      </FileButton>
    </>
  );
}

export function DraftPictures({ draftKey, pictures }: DraftPicturesProps) {
  const remove = (id: string) => changePictures(draftKey, (chosen) => chosen.filter((other) => other !== id));
  return <RemovablePictures pictures={pictures} onRemove={remove} />;
}

interface RemovablePicturesProps {
  pictures: readonly string[];
  onRemove: (id: string) => void;
}

export function RemovablePictures({ pictures, onRemove }: RemovablePicturesProps) {
  if (pictures.length === 0) return null;
  return (
    <ul className={messageStyles.shownPictures} aria-label={t`Pictures of the message`}>
      {pictures.map((id, index) => (
        <li key={id}>
          <Picture id={id} number={index + 1} />
          <Button
            variant="ghost"
            title={t`Remove`}
            aria-label={t`Remove picture ${index + 1}`}
            onClick={() => onRemove(id)}
          >
            <Icon of={X} />
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface ShownPicturesProps {
  pictures: readonly string[];
  /** The pictures are part of an answer. */
  isAnswer?: boolean;
}

/** Pictures that the model was shown or has made. Each links to the Library. */
export function ShownPictures({ pictures, isAnswer = false }: ShownPicturesProps) {
  useKnownMedia(pictures.map((assetId) => ({ assetId })));
  return (
    <ul
      className={isAnswer ? messageStyles.madePictures : messageStyles.shownPictures}
      aria-label={isAnswer ? t`Pictures of the answer` : t`Pictures of the message`}
    >
      {pictures.map((id, index) => (
        <li key={id}>
          <button
            type="button"
            className={libraryChoicesStyles.pickTile}
            onClick={() => navigate('library', { asset: id })}
          >
            <Picture id={id} number={index + 1} hasStorage={isAnswer} />
          </button>
          {isAnswer && <PictureActions id={id} />}
        </li>
      ))}
    </ul>
  );
}

function PictureActions({ id }: { id: string }) {
  const asset = useEntities(({ assets }) => assets.get(id));
  const draftKey = useChat(({ selectedId }) => selectedId ?? NEW);
  const off = asset?.state === 'local' ? undefined : t`The picture is not stored here.`;
  return (
    <span className="row">
      <TextAction off={off} onClick={() => navigate('storyboard', { frame: id })}>
        {t`Use as frame`}
      </TextAction>
      <TextAction off={off} onClick={() => asset && addPicture(draftKey, asset)}>
        {t`Attach to message`}
      </TextAction>
    </span>
  );
}

function Picture({ id, number, hasStorage = false }: { id: string; number: number; hasStorage?: boolean }) {
  const asset = useEntities(({ assets }) => assets.get(id));
  return (
    <span className={`media ${asset ? '' : 'none'}`} title={asset?.name}>
      {asset && <AssetImage asset={asset} className="fill" />}
      {asset && hasStorage && <StoragePlate storage={asset} />}
      <span className="vh">{asset ? asset.name : t`Picture ${number}`}</span>
    </span>
  );
}
