import { type KeyboardEvent, memo, type ReactNode } from 'react';
import type { ShotLink } from '../../../../shared/board/board.ts';
import { t } from '../../../../shared/text/texts.ts';
import styles from '../cards.module.css';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { goByArrows, LINK_NAMES, linkId, openLinkMenu, useLinkView } from './linkChoices.ts';

/** The links between the cards, as one Tab stop with arrow keys, beside the list of shots. */
export function ShotLinks({ board, selected }: { board: BoardHandle; selected: ShotView }) {
  const views = board.shots.filter(({ link }) => link !== undefined);
  const stop = views.find(({ number }) => number > selected.number) ?? views.at(-1);
  if (views.length === 0) return null;
  const byArrows = (event: KeyboardEvent<HTMLElement>) => goByArrows(event, 'ArrowLeft', 'ArrowRight');
  return (
    <div className={styles.cardList} role="toolbar" aria-label={t`Links`} onKeyDown={byArrows}>
      {views.map((view) => (
        <LinkButton key={view.shot.id} view={view} isTabStop={view === stop} />
      ))}
    </div>
  );
}

/** The link of a shot to the one before, dashed if its take does not follow it; opens the menu of links. */
const LinkButton = memo(function LinkButton({ view, isTabStop }: { view: ShotView; isTabStop: boolean }) {
  const { link, shot, state, number } = view;
  const isOpen = useLinkView(({ linkOf }) => linkOf === shot.id);
  if (!link) return null;
  const name = LINK_NAMES[link.kind];
  const note = link.isStale ? t`Outdated` : state.isKept ? t`Kept as it is` : undefined;
  return (
    <button
      type="button"
      id={linkId(shot.id)}
      // Its place between the cards, which have even numbers.
      style={{ order: 2 * number - 1 }}
      data-index={number - 1}
      tabIndex={isTabStop ? 0 : -1}
      className={styles.link}
      data-look={link.isStale ? 'stale' : undefined}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      aria-label={[t`Link to shot ${number}: ${name}`, note].filter(Boolean).join(', ')}
      onClick={() => openLinkMenu(isOpen ? undefined : shot.id)}
    >
      <span>
        <LinkShape kind={link.kind} />
      </span>
      <span>{name}</span>
    </button>
  );
});

const SHAPES: Record<ShotLink, ReactNode> = {
  cut: (
    <>
      <path d="M9 2v14" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      <path d="M2.5 6v6M15.5 6v6" stroke="currentColor" strokeWidth="3" />
    </>
  ),
  continue: (
    <>
      <rect x="1.8" y="5.5" width="5.4" height="7" fill="currentColor" />
      <path
        d="M9 9h6.2M12.6 6.2 15.4 9l-2.8 2.8"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  transition: (
    <>
      <path d="M2 4.5v9L9 9Z" fill="currentColor" />
      <path d="M16 4.5v9L9 9Z" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </>
  ),
  extend: (
    <>
      <rect x="1.8" y="6" width="7" height="6" fill="currentColor" />
      <path d="M8.8 6h7.4v6H8.8" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.4 1.6" />
    </>
  ),
};

export function LinkShape({ kind }: { kind: ShotLink }) {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      {SHAPES[kind]}
    </svg>
  );
}
