import type { Asset } from '../../../../shared/asset.ts';
import { t } from '../../../../shared/texts.ts';
import { shapeOf } from '../../../media/Wipe.tsx';
import styles from '../../../media/wipe.module.css';
import type { EditFacts } from '../model/gallery.ts';
import { Heat } from '../panels/Heat.tsx';
import { useOutsideChange } from '../useProof.ts';

export function ChangedPicture({ edit, after }: { edit: EditFacts; after: Asset }) {
  const compared = useOutsideChange(edit, after);
  const { change, error } = compared ?? {};
  if (!change) {
    const told = error ?? t`The edit has another size, so it cannot be compared.`;
    return <p className="t2">{compared ? told : t`Comparing…`}</p>;
  }
  return (
    <div className={styles.pic} style={shapeOf(after)}>
      <Heat change={change} edit={edit} after={after} />
      {change.identical && <span className="ov tl">{t`No pixel differs outside the mask`}</span>}
    </div>
  );
}
