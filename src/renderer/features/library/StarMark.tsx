import { Star } from 'lucide-react';
import type { Asset } from '../../../shared/asset.ts';
import { t } from '../../../shared/texts.ts';
import { Icon } from '../../ui/index.ts';
import styles from './table.module.css';

export const StarMark = ({ asset }: { asset: Asset }) =>
  asset.starred ? (
    <span className={styles.starMark} title={t`Starred`}>
      <Icon of={Star} />
      <span className="vh">{t`Starred,`} </span>
    </span>
  ) : null;
