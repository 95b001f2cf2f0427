import { create } from 'zustand';
import type { Asset } from '../../../shared/library/asset.ts';
import { announce, cacheAssets } from '../../app/index.ts';
import { uploadMedia } from '../../client/index.ts';

interface Upload {
  isBusy: boolean;
  error?: string | undefined;
}

/** Uploads and their errors by slot; they belong there even while another shot is shown. */
const useUploads = create<{ at: Readonly<Record<string, Upload>> }>()(() => ({ at: {} }));

const uploadAt = (place: string): Upload | undefined => useUploads.getState().at[place];

function setUpload(place: string, upload: Upload | undefined): void {
  const { [place]: _, ...others } = useUploads.getState().at;
  useUploads.setState({ at: upload ? { ...others, [place]: upload } : others });
}

const failed = (error: string | undefined): Upload | undefined =>
  error === undefined ? undefined : { isBusy: false, error };

/** Sets the upload in its slot; returns why it could not. */
type Put = (asset: Asset) => string | undefined;

async function bringIn(place: string, file: File, put: Put): Promise<void> {
  const upload: Upload = { isBusy: true };
  setUpload(place, upload);
  const answer = await uploadMedia(file, file.name, { role: 'source' });
  if (answer.ok) cacheAssets([answer.data]);
  // Another choice for the slot came later and wins.
  if (uploadAt(place) !== upload) return;
  const error = answer.ok ? put(answer.data) : answer.error.message;
  setUpload(place, failed(error));
  if (error !== undefined) announce(error, 'assertive');
}

/** Uploads files dropped on a slot; the last one wins. */
export function useSlotUpload(place: string): Partial<Upload> & {
  bringIn: (file: File, put: Put) => Promise<void>;
  /** Ends the upload because something else was chosen, or could not be: a file that still arrives does not replace it. */
  settle: (error?: string) => void;
} {
  const upload = useUploads(({ at }) => at[place]);
  return {
    ...upload,
    bringIn: (file, put) => bringIn(place, file, put),
    settle: (error) => setUpload(place, failed(error)),
  };
}
