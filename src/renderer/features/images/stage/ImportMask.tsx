import { FileInput } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useCall, useShortcut } from '../../../app/index.ts';
import { addEdit, type MaskReading, maskWorker } from '../../../canvas/index.ts';
import { revokeLater } from '../../../media/revokeLater.ts';
import {
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  Field,
  FileButton,
  Icon,
  IconButton,
  NumberInput,
  Segmented,
  Select,
  WhyOff,
} from '../../../ui/index.ts';
import imagesStyles from '../images.module.css';
import panelsStyles from '../panels/panels.module.css';
import { useMask } from '../useImages.ts';
import { bytesOf } from '../useProof.ts';

/** A mask from the alpha or luminance of a picture, previewed before it is applied as one step. */
export function ImportMask({ asset }: { asset: Asset }) {
  const [isOpen, setOpen] = useState(false);
  const hint = useShortcut('painter.import', () => setOpen(true));
  return (
    <>
      <IconButton label={t`Import a mask`} tip={hint} onClick={() => setOpen(true)}>
        <Icon of={FileInput} size="m" />
        <i>{hint}</i>
      </IconButton>
      {isOpen && <ImportDialog asset={asset} onClose={() => setOpen(false)} />}
    </>
  );
}

function ImportDialog({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const [picture, setPicture] = useState<Blob>();
  const [fit, setFit] = useState(false);
  const [reading, setReading] = useState<MaskReading>({ from: 'luminance', threshold: 128, invert: false });
  const [, change] = useMask(asset);
  const read = useImported(picture, asset, fit, reading);
  const isOther = read !== undefined && read.width > 0 && (read.width !== asset.width || read.height !== asset.height);
  const take = () => {
    const runs = read?.mask?.runs;
    if (!runs) return;
    change((history) => addEdit(history, { kind: 'pixels', op: 'replace', made: 'import', runs }));
    onClose();
  };
  const why = read?.mask ? (read.mask.white === 0 ? t`The mask is empty.` : undefined) : t`Select a picture first.`;
  const off = isOther && !fit ? t`The pictures have different sizes.` : why;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Import a mask`}
      footer={
        <DialogActions onClose={onClose} keep={t`Leave`} off={off} onClick={take}>
          {t`Use this mask`}
        </DialogActions>
      }
    >
      <div className={`col gap ${imagesStyles.importMask}`}>
        <Source onPicture={setPicture} />
        <Reading reading={reading} onReading={setReading} />
        {isOther && (
          <>
            <p className="t2">
              {t`This picture is ${read.width} × ${read.height}; the mask must be ${asset.width} × ${asset.height}.`}
            </p>
            <Checkbox checked={fit} onChecked={setFit}>
              {t`Fit to the picture`}
            </Checkbox>
          </>
        )}
        {!isOther && <WhyOff>{off}</WhyOff>}
        <Preview read={read} total={asset.width * asset.height} />
      </div>
    </Dialog>
  );
}

function Source({ onPicture }: { onPicture: (picture: Blob) => void }) {
  const [name, setName] = useState<string>();
  const [chosen, setChosen] = useState<string | null>(null);
  const { data } = useCall('library.list', { types: ['image'], states: ['local'], limit: 50 });
  const fromLibrary = (id: string) => {
    setChosen(id);
    setName(undefined);
    void bytesOf(id).then(onPicture, () => setName(t`The picture is not stored here.`));
  };
  return (
    <>
      <div className="row">
        <FileButton
          label={t`Picture to use as mask`}
          accept="image/png,image/jpeg,image/webp"
          onFiles={([file]) => {
            setName(file.name);
            setChosen(null);
            onPicture(file);
          }}
        >
          <Button>{t`From this computer`}</Button>
        </FileButton>
        <Select
          aria-label={t`Picture from Library`}
          placeholder={t`Picture from Library`}
          value={chosen}
          onValue={fromLibrary}
          options={(data?.assets ?? []).map((one) => ({ value: one.id, label: one.name }))}
        />
      </div>
      {name && <p className="t2 cut">{name}</p>}
    </>
  );
}

function Reading({ reading, onReading }: { reading: MaskReading; onReading: (reading: MaskReading) => void }) {
  const threshold = (value: number | null) =>
    onReading({ ...reading, threshold: Math.min(255, Math.max(1, Math.round(value ?? 128))) });
  return (
    <div className={`row ${imagesStyles.reading}`}>
      <Segmented
        small
        aria-label={t`Mask source`}
        value={reading.from}
        onValue={(from) => onReading({ ...reading, from })}
        options={[
          { value: 'luminance', label: t`Luminance` },
          { value: 'alpha', label: t`Alpha` },
        ]}
      />
      <Field label={t`White from`}>
        <NumberInput value={reading.threshold} min={1} max={255} onValue={threshold} />
      </Field>
      <Checkbox checked={reading.invert} onChecked={(invert) => onReading({ ...reading, invert })}>
        {t`Invert`}
      </Checkbox>
    </div>
  );
}

function Preview({ read, total }: { read: Imported | undefined; total: number }) {
  if (read?.error) return <p className="t2">{read.error}</p>;
  if (!read?.mask) return null;
  const { url, white } = read.mask;
  return (
    <figure>
      <div className={`media ${panelsStyles.sent}`}>
        <img src={url} alt={t`Mask`} />
      </div>
      <figcaption className="t3">{t`${((white / total) * 100).toFixed(1)} % white`}</figcaption>
    </figure>
  );
}

type Size = { width: number; height: number };

interface Imported extends Size {
  mask?: { runs: Int32Array; white: number; url: string };
  error?: string;
}

/** A picture read as a mask, read again when a setting changes; undefined while the first read is running. */
function useImported(picture: Blob | undefined, { width, height }: Size, fit: boolean, reading: MaskReading) {
  const [read, setRead] = useState<Imported>();
  const { from, threshold, invert } = reading;
  useEffect(() => {
    if (!picture) return;
    let isCurrent = true;
    let url: string | undefined;
    const task = {
      kind: 'import',
      picture,
      size: { width, height },
      fit,
      reading: { from, threshold, invert },
    } as const;
    const show = ({ mask, ...size }: { mask?: { runs: Int32Array; white: number; file: Blob } } & Size) => {
      if (!isCurrent) return;
      if (mask) url = URL.createObjectURL(mask.file);
      setRead({ ...size, ...(mask && url ? { mask: { runs: mask.runs, white: mask.white, url } } : {}) });
    };
    maskWorker
      .run(task)
      .then(show, () => isCurrent && setRead({ width: 0, height: 0, error: t`The file could not be read.` }));
    return () => {
      isCurrent = false;
      if (url) revokeLater(url);
    };
  }, [picture, width, height, fit, from, threshold, invert]);
  return picture ? read : undefined;
}
