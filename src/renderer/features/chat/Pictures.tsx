import { ImagePlus, X } from 'lucide-react';
import { useState } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import { MAX_MESSAGE_PICTURES } from '../../../shared/kinds/chat.ts';
import { navigate, useEntities } from '../../app/index.ts';
import { LibraryChoices } from '../../media/LibraryChoices.tsx';
import { useKnownMedia } from '../../media/useMedia.ts';
import { AssetImage, Button, Dialog, Icon } from '../../ui/index.ts';
import { setDraft } from './state.ts';

/** Pictures of the library that a model is shown with the words of a message. */

interface DraftPicturesProps {
  /** Of the draft. */
  draftKey: string;
  pictures: readonly string[];
}

/** Opens the library; a press chooses a picture, or takes it away again. */
export function AddPictures({ draftKey, pictures }: DraftPicturesProps) {
  const [isOpen, setOpen] = useState(false);
  const isFull = pictures.length >= MAX_MESSAGE_PICTURES;
  const toggle = ({ id }: Asset) => {
    if (pictures.includes(id)) setDraft(draftKey, { pictures: pictures.filter((other) => other !== id) });
    else if (!isFull) setDraft(draftKey, { pictures: [...pictures, id] });
  };
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        <Icon of={ImagePlus} />
        Show pictures
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title="Show pictures to the model"
        width={720}
        footer={
          <>
            <span className="t3 grow" role="status">
              {pictures.length} of at most {MAX_MESSAGE_PICTURES}
            </span>
            <Button onClick={close}>Done</Button>
          </>
        }
      >
        {isOpen && (
          <div className="picker">
            <LibraryChoices medium="image" onPick={toggle} chosen={new Set(pictures)} />
          </div>
        )}
      </Dialog>
    </>
  );
}

/** Those of the message that is being written, each with a way to take it away. */
export function DraftPictures({ draftKey, pictures }: DraftPicturesProps) {
  const remove = (id: string) => setDraft(draftKey, { pictures: pictures.filter((other) => other !== id) });
  if (pictures.length === 0) return null;
  return (
    <ul className="shown-pictures" aria-label="Pictures of the message">
      {pictures.map((id, index) => (
        <li key={id}>
          <Picture id={id} number={index + 1} />
          <Button
            variant="ghost"
            title="Take it away"
            aria-label={`Take picture ${index + 1} away`}
            onClick={() => remove(id)}
          >
            <Icon of={X} />
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Those that the model was shown; each leads to its place in the Library. */
export function ShownPictures({ pictures }: { pictures: readonly string[] }) {
  useKnownMedia(pictures.map((assetId) => ({ assetId })));
  return (
    <ul className="shown-pictures" aria-label="Pictures of the message">
      {pictures.map((id, index) => (
        <li key={id}>
          <button type="button" className="pick-tile" onClick={() => navigate('library', { asset: id })}>
            <Picture id={id} number={index + 1} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Picture({ id, number }: { id: string; number: number }) {
  const asset = useEntities(({ assets }) => assets.get(id));
  return (
    <span className={`media ${asset ? '' : 'none'}`} title={asset?.name}>
      {asset && <AssetImage asset={asset} className="fill" />}
      <span className="vh">{asset ? asset.name : `Picture ${number}`}</span>
    </span>
  );
}
