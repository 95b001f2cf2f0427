import { create } from 'zustand';
import type { Asset } from '../../../shared/library/asset.ts';
import { announce, cacheAssets } from '../../app/index.ts';
import { uploadMedia } from '../../client/index.ts';

interface Upload {
  isBusy: boolean;
  error?: string | undefined;
}

/** What is being brought in, or could not be, by its place: it belongs there also while another shot is shown. */
const useUploads = create<{ at: Readonly<Record<string, Upload>> }>()(() => ({ at: {} }));

const uploadAt = (place: string): Upload | undefined => useUploads.getState().at[place];

function setUpload(place: string, upload: Upload | undefined): void {
  const { [place]: _, ...others } = useUploads.getState().at;
  useUploads.setState({ at: upload ? { ...others, [place]: upload } : others });
}

const failed = (error: string | undefined): Upload | undefined =>
  error === undefined ? undefined : { isBusy: false, error };

/** Puts what was brought in where it was dropped; why not, where it cannot go there any more. */
type Put = (asset: Asset) => string | undefined;

async function bringIn(place: string, file: File, put: Put): Promise<void> {
  const upload: Upload = { isBusy: true };
  setUpload(place, upload);
  const answer = await uploadMedia(file, file.name, { role: 'source' });
  if (answer.ok) cacheAssets([answer.data]);
  // Something else was chosen for the place since, which is newer.
  if (uploadAt(place) !== upload) return;
  const error = answer.ok ? put(answer.data) : answer.error.message;
  setUpload(place, failed(error));
  if (error !== undefined) announce(error, 'assertive');
}

/** Files that are dropped on a place, the last one of them at last. */
export function useSlotUpload(place: string): Partial<Upload> & {
  bringIn: (file: File, put: Put) => Promise<void>;
  /** Something else was chosen for the place, or why that is not possible: a file that still comes does not take it back. */
  settle: (error?: string) => void;
} {
  const upload = useUploads(({ at }) => at[place]);
  return {
    ...upload,
    bringIn: (file, put) => bringIn(place, file, put),
    settle: (error) => setUpload(place, failed(error)),
  };
}
