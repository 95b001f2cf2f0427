import { useEffect, useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import { type MaskReading, maskWorker } from '../../../canvas/index.ts';
import { revokeLater } from '../../../media/revokeLater.ts';

type Size = { width: number; height: number };

export interface Imported extends Size {
  mask?: { runs: Int32Array; white: number; url: string };
  error?: string;
}

/** A picture read as a mask, anew with every change of how; undefined while the first reading is under way. */
export function useImported(picture: Blob | undefined, { width, height }: Size, fit: boolean, reading: MaskReading) {
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
      .then(show, () => isCurrent && setRead({ width: 0, height: 0, error: t`This picture cannot be read.` }));
    return () => {
      isCurrent = false;
      if (url) revokeLater(url);
    };
  }, [picture, width, height, fit, from, threshold, invert]);
  return picture ? read : undefined;
}
