import { t } from '../../../../shared/texts.ts';
import { useCall } from '../../../app/index.ts';
import { formatBytes } from '../../../ui/index.ts';

/** What the disk of the data folder has left; of another folder's disk nothing is known before something is written. */
export function RoomLeft({ folder }: { folder: string | undefined }) {
  const { data } = useCall('library.stats', folder === undefined ? {} : null);
  return folder === undefined && data ? <span className="nw">{t`${formatBytes(data.freeBytes)} free`}</span> : null;
}
