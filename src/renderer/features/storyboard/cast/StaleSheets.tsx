import { RotateCcw } from 'lucide-react';
import type { CastMember } from '../../../../shared/cast.ts';
import { t } from '../../../../shared/texts.ts';
import { useKeyHint } from '../../../app/index.ts';
import { Button, Icon } from '../../../ui/index.ts';
import styles from '../cards.module.css';
import type { CastColumn } from '../model/castView.ts';

interface StaleSheetsProps {
  columns: readonly CastColumn[];
  cast: readonly CastMember[];
  onShow: () => void;
}

/** Which shots play a take that was made from a picture that is not in use any more. */
export function StaleSheets({ columns, cast, onShow }: StaleSheetsProps) {
  const key = useKeyHint('cast.stale');
  const stale = columns.filter(({ cells }) => [...cells.values()].some((cell) => cell.isStale));
  if (stale.length === 0) return null;
  const members = cast.filter(({ id }) => stale.some(({ cells }) => cells.get(id)?.isStale));
  const numbers = listed(stale.map(({ view }) => String(view.number)));
  return (
    <div className={styles.boardStatus} role="status">
      <span className="stale-tag">
        <Icon of={RotateCcw} />
        {t`${stale.length} stale`}
      </span>
      <span className="cut">
        {t`${listed(members.map(({ name }) => name.trim()))} ${members.length > 1 ? t`have other pictures` : t`has another picture`} now, so ${numbers} ${stale.length > 1 ? t`were` : t`was`} made from a sheet that is not in use.`}
      </span>
      <span className="grow" />
      <Button variant="ghost" kbd={key} onClick={onShow}>
        {t`Show them`}
      </Button>
    </div>
  );
}

/** `3, 5 and 9` */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : t`${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
