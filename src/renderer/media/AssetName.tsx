import type { Asset } from '../../shared/library/asset.ts';
import { t } from '../../shared/text/texts.ts';
import { takeName, useTake } from '../app/index.ts';

type Named = Pick<Asset, 'projectId' | 'jobId' | 'role' | 'name' | 'outputIndex'>;

/** What an asset is called: a take and its last frame by their place in the film, anything else by its file. */
export function useAssetName({ projectId, jobId, role, name, outputIndex = 0 }: Named): string {
  const place = useTake(projectId, role === 'output' || role === 'frame' ? jobId : undefined);
  if (!place) return name;
  const { shot, take } = place;
  if (role === 'frame') return t`Shot ${shot} · take ${take} · last frame`;
  return outputIndex > 0 ? t`Shot ${shot} · take ${take} · clip ${outputIndex + 1}` : takeName(place);
}

/** In an element of its own: there, characters that would turn a name around are shown. */
export const AssetName = ({ asset }: { asset: Named }) => <span>{useAssetName(asset)}</span>;
