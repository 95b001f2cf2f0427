import type { Asset } from '../../shared/library/asset.ts';
import { safeName } from '../../shared/text/safeText.ts';
import { t } from '../../shared/text/texts.ts';
import { downloadUrl } from '../client/index.ts';
import { SaveLink } from '../ui/index.ts';

/** Says why a file cannot be shown, and offers a copy for another program. */
export function SaveCopy({ asset, why }: { asset: Asset; why: string }) {
  return (
    <div className="col" role="status">
      <p>{why}</p>
      <SaveLink href={downloadUrl(asset.id)} name={safeName(asset.name)}>
        {t`Save a copy`}
      </SaveLink>
    </div>
  );
}
