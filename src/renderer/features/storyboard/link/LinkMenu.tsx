import { Check } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { announce } from '../../../app/index.ts';
import { AnchoredPopover, Icon } from '../../../ui/index.ts';
import cardsStyles from '../cards.module.css';
import type { ViewProps } from '../tabProps.ts';
import type { BoardHandle } from '../useBoard.ts';
import styles from './link.module.css';
import {
  chooseLink,
  goByArrows,
  LINK_NAMES,
  type LinkChoice,
  linkId,
  openLinkMenu,
  useLinkChoices,
  useLinkView,
} from './linkChoices.ts';
import { LinkShape } from './ShotLinks.tsx';

/** The menu of links between two cards, anchored to the link. */
export function LinkMenu({ board }: { board: BoardHandle }) {
  const linkOf = useLinkView((view) => view.linkOf);
  const view = board.shots.find(({ shot }) => shot.id === linkOf);
  return view ? <OpenLink key={view.shot.id} board={board} view={view} /> : null;
}

function OpenLink({ board, view }: ViewProps) {
  const choices = useLinkChoices(board, view);
  if (!choices) return null;
  const name = t`Link shot ${choices.before.number} to shot ${view.number}`;
  const choose = ({ kind, off }: LinkChoice) => {
    if (off !== undefined) return announce(off);
    openLinkMenu(undefined);
    if (view.shot.joint !== kind) board.sync.edit(chooseLink(choices, kind));
  };
  const byArrows = (event: KeyboardEvent<HTMLElement>) => goByArrows(event, 'ArrowUp', 'ArrowDown');
  return (
    <AnchoredPopover
      open
      onClose={() => openLinkMenu(undefined)}
      anchor={() => document.getElementById(linkId(view.shot.id))}
      finalFocus={() => document.querySelector<HTMLElement>(`.${cardsStyles.cardList} [aria-selected="true"]`)}
      title={name}
    >
      <div className={styles.linkMenu} role="menu" aria-label={name} tabIndex={-1} onKeyDown={byArrows}>
        <b className={styles.linkTitle} aria-hidden="true">
          {name}
        </b>
        {choices.choices.map((choice) => (
          <button
            key={choice.kind}
            type="button"
            role="menuitemradio"
            aria-checked={choice.kind === view.link?.kind}
            aria-disabled={choice.off !== undefined}
            onClick={() => choose(choice)}
          >
            <LinkShape kind={choice.kind} />
            <b>{LINK_NAMES[choice.kind]}</b>
            {choice.kind === view.link?.kind && <Icon of={Check} />}
            <span>{choice.off ?? choice.words}</span>
          </button>
        ))}
      </div>
    </AnchoredPopover>
  );
}
