import type { Asset } from '../../../../shared/asset.ts';
import { useMeasures } from '../../../media/useMeasures.ts';

/** Peaks of a sound over its length, 0 to 255, as the media page measured them; undefined while they are not known. */
export function useWave(asset: Asset | undefined): readonly number[] | undefined {
  const sha256 = asset?.state === 'local' && asset.audio !== false && asset.sha256 !== '' ? asset.sha256 : undefined;
  const file = useMeasures(sha256 === undefined ? [] : [sha256]).get(sha256 ?? '');
  return file?.state === 'measured' ? file.measures.sound?.wave : undefined;
}
