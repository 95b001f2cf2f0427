import { t } from '../../../shared/texts.ts';
import { Button } from '../../ui/index.ts';
import type { Refusal } from './model/pending.ts';
import { notSavedText } from './model/refusalWords.ts';
import styles from './storyboard.module.css';
import { type BoardHandle, type BoardTabId, useBoardView } from './useBoard.ts';

/** An edit that the board cannot take: why, where it can be mended, and the way back. It is shown and not saved; all else is. */
export function NotSaved({ board }: { board: BoardHandle }) {
  const [refusal, ...more] = board.refused;
  if (!refusal || !board.board) return null;
  const place = placeOf(refusal);
  return (
    <div className={styles.notSaved} role="alert">
      <span className="grow">
        {notSavedText(refusal, board.board)}
        {refusal.error.data?.isSecret === true && t` It is not kept over a reload.`}
        {more.length > 0 && t` ${more.length} more.`}
      </span>
      {place && <Button onClick={() => show(place, refusal)}>{t`Show it`}</Button>}
      {refusal.isFinal && <Button onClick={() => void board.sync.retry()}>{t`Try again`}</Button>}
      <Button onClick={() => board.sync.takeBack(refusal)}>{t`Take it back`}</Button>
    </div>
  );
}

/** The tab in which the field is edited. */
const TABS: Readonly<Record<string, BoardTabId>> = { cast: 'cast', sound: 'sound', words: 'sound', subtitles: 'sound' };

function placeOf({ shotId, error }: Refusal): BoardTabId | undefined {
  const path = typeof error.data?.field === 'string' ? error.data.field.split('.') : [];
  return TABS[path[0] ?? ''] ?? TABS[path[2] ?? ''] ?? (shotId === undefined ? undefined : 'board');
}

function show(tab: BoardTabId, { shotId }: Refusal): void {
  useBoardView.setState(shotId === undefined ? { tab } : { tab, shotId });
  // The panel of that tab is there after this change is drawn.
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main > aside')?.focus());
}
