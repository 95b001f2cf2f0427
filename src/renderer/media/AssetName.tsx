import type { Asset } from '../../shared/library/asset.ts';
import { t } from '../../shared/text/texts.ts';
import { takeName, useTake } from '../app/index.ts';

type Named = Pick<Asset, 'projectId' | 'jobId' | 'role' | 'name' | 'outputIndex'>;

/** The name of an asset: takes and their last frames by their place in the film, others by their file. */
export function useAssetName({ projectId, jobId, role, name, outputIndex = 0 }: Named): string {
  const place = useTake(projectId, role === 'output' || role === 'frame' ? jobId : undefined);
  if (!place) return name;
  const { shot, take } = place;
  if (role === 'frame') return t`Shot ${shot} · take ${take} · last frame`;
  return outputIndex > 0 ? t`Shot ${shot} · take ${take} · clip ${outputIndex + 1}` : takeName(place);
}

/** In its own element, in which characters that reverse text become visible. */
export const AssetName = ({ asset }: { asset: Named }) => <span>{useAssetName(asset)}</span>;
