import { ImageOff, RotateCcw, SkipForward } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, memo, useCallback, useEffect, useState } from 'react';
import { type Shot, shotTitle } from '../../../shared/board/board.ts';
import { isDead } from '../../../shared/film/film.ts';
import { isTerminal, type Job } from '../../../shared/jobs/job.ts';
import { plural, t } from '../../../shared/text/texts.ts';
import { useRunningWords } from '../../app/index.ts';
import { AssetImage, CardBoundary, FailGlyph, Icon, ProgressBar, TakeNumber } from '../../ui/index.ts';
import { failureWord, STATE_WORDS } from '../../words/index.ts';
import { ClipPicture } from './ClipPicture.tsx';
import styles from './cards.module.css';
import { ShotLinks } from './link/ShotLinks.tsx';
import { picturesSent } from './model/shots.ts';
import { ownPicture, type ShotView } from './model/view.ts';
import { waitingWords } from './takeWords.ts';
import { type BoardHandle, selectShot } from './useBoard.ts';

interface CardsProps {
  board: BoardHandle;
  selected: ShotView;
  onRemove: (shot: ShotView) => void;
  /** `place` counts from 1. */
  onMove: (shot: ShotView, place: number) => void;
}

/** The shots in order with their links. Arrows go from card to card, Alt and arrows move a card, Delete removes it. */
export function Cards(props: CardsProps) {
  const { board, selected, onRemove } = props;
  const { dropAt, endDrag, target } = useDrop(props);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card that is moved is looked at too.
  useEffect(() => {
    const see = () =>
      document.getElementById(cardId(selected.shot.id))?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    see();
    window.addEventListener('resize', see);
    return () => window.removeEventListener('resize', see);
  }, [selected.shot.id, selected.number]);
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = shotOfCard(board, event.target) ?? selected;
    if (event.key === 'Delete' && !event.repeat) {
      onRemove(at);
      // The focused card unmounts: keys continue at the selected one.
      const neighbour = board.shots[at.number] ?? board.shots[at.number - 2];
      document.getElementById(cardId(neighbour?.shot.id))?.focus();
    }
    if (step === undefined || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const next = board.shots[at.number - 1 + step];
    if (!next) return;
    selectShot(next.shot.id);
    document.getElementById(cardId(next.shot.id))?.focus();
  };
  return (
    <div className={styles.cards} {...target}>
      <div
        className={styles.cardList}
        role="listbox"
        aria-label={t`Shots`}
        aria-orientation="horizontal"
        tabIndex={-1}
        onKeyDown={key}
      >
        {board.shots.map((view, index) => (
          <div className={styles.cardCell} key={view.shot.id} data-index={index} style={{ order: 2 * view.number }}>
            <CardBoundary name={t`Shot ${view.number}`} of={view}>
              <Card
                view={view}
                media={board.media}
                isSelected={view.shot.id === selected.shot.id}
                drop={dropAt(index)}
                onDragEnd={endDrag}
              />
            </CardBoundary>
          </div>
        ))}
      </div>
      <ShotLinks board={board} selected={selected} />
    </div>
  );
}

/** The drop position of the dragged card, and its drop handlers; `target` is for the row of cards. */
function useDrop({ board, onMove }: CardsProps) {
  const [drop, setDrop] = useState<number>();
  const onDragOver = (event: DragEvent<HTMLElement>) => {
    const card = event.target instanceof Element && event.target.closest<HTMLElement>('[data-index]');
    if (!card || !event.dataTransfer.types.includes(DRAG_TYPE)) return;
    event.preventDefault();
    const index = Number(card.dataset.index);
    const box = card.getBoundingClientRect();
    setDrop(event.clientX < box.left + box.width / 2 ? index : index + 1);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    const id = event.dataTransfer.getData(DRAG_TYPE);
    const dragged = board.shots.find(({ shot }) => shot.id === id);
    if (drop !== undefined && dragged) {
      // Cards after its old place have moved up by one.
      const place = drop >= dragged.number ? drop : drop + 1;
      if (place !== dragged.number) onMove(dragged, place);
    }
    setDrop(undefined);
  };
  const endDrag = useCallback(() => setDrop(undefined), []);
  const dropAt = (index: number): CardProps['drop'] => {
    if (drop === index) return 'before';
    return drop === index + 1 && index === board.shots.length - 1 ? 'after' : undefined;
  };
  const onDragLeave = (event: DragEvent) => event.currentTarget === event.target && endDrag();
  return { dropAt, endDrag, target: { onDragOver, onDrop, onDragLeave } };
}

const DRAG_TYPE = 'application/x-dailies-shot';
const cardId = (shotId: string | undefined): string => `shot-${shotId}`;

/** The shot whose card has the focus, or got an event: while the film plays, another shot is selected. */
export function shotOfCard({ shots }: BoardHandle, target: EventTarget | null): ShotView | undefined {
  const card = target instanceof Element ? target.closest(`.${styles.shot}[role="option"]`) : null;
  return card ? shots.find(({ shot }) => cardId(shot.id) === card.id) : undefined;
}

interface CardProps {
  view: ShotView;
  media: BoardHandle['media'];
  isSelected: boolean;
  drop: 'before' | 'after' | undefined;
  onDragEnd: () => void;
}

/** Renders again only when its own shot changes. */
const Card = memo(function Card({ view, media, isSelected, drop, onDragEnd }: CardProps) {
  const { shot, number, takes, active, state } = view;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: focus selects, the list box owns the keys.
    <div
      id={cardId(shot.id)}
      role="option"
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      className={`${styles.shot} ${isSelected ? styles.sel : ''}`}
      data-look={shot.skipped ? 'skipped' : state.isStale ? 'stale' : undefined}
      data-drop={drop}
      draggable
      onClick={() => selectShot(shot.id)}
      onFocus={() => selectShot(shot.id)}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAG_TYPE, shot.id);
        event.dataTransfer.effectAllowed = 'move';
        selectShot(shot.id);
      }}
      onDragEnd={onDragEnd}
    >
      <span className="vh">
        {[t`Shot ${number}`, shot.skipped && t`Skipped`, plural(takes.length, 'take')].filter(Boolean).join(', ')},{' '}
      </span>
      <CardPicture view={view} media={media} />
      <p className={styles.title}>
        <b>{number}</b> {shot.title || shot.prompt ? shotTitle(shot) : <span className="t2">{t`Untitled`}</span>}
      </p>
      <div className={`row between ${styles.meta}`}>
        {active && !isDead(active.job) ? (
          <span>
            {t`Take`}{' '}
            <TakeNumber
              number={active.number}
              verdict={active.job?.verdict}
              uncertain={active.job?.state === 'uncertain'}
            />
          </span>
        ) : (
          <span>{t`No take yet`}</span>
        )}
        <span className="t3">{active?.clip ? t`of ${takes.length}` : t`${view.seconds} s`}</span>
      </div>
    </div>
  );
});

/** The picture of the selected take, or why there is none. */
function CardPicture({ view, media }: Pick<CardProps, 'view' | 'media'>) {
  const { shot, active, takes } = view;
  const picture = active?.clip ?? ownPicture(shot, media);
  const latest = takes.at(-1)?.job;
  const making = latest && !isTerminal(latest.state) ? latest : undefined;
  const left = useRunningWords(making);
  const words = making && (waitingWords(making) ?? left);
  return (
    <div className={styles.picture} data-look={picture ? undefined : latest ? 'job' : 'none'}>
      {active?.clip ? (
        <ClipPicture clip={active.clip} />
      ) : (
        picture && <AssetImage asset={picture} className="fill" alt="" />
      )}
      {picture ? <PictureMarks view={view} making={making} words={words} /> : <NoPicture job={latest} words={words} />}
      {making && <ProgressBar percent={making.progress} />}
      <StartMarks shot={shot} media={media} />
    </div>
  );
}

interface MarkProps {
  view: ShotView;
  making: Job | undefined;
  words: string | undefined;
}

/** Marks on the picture: takes in progress, outdated, and the length. */
function PictureMarks({ view: { takes, state, seconds }, making, words }: MarkProps) {
  return (
    <>
      {making && (
        <span className="ov tl">
          <span className="cut">
            {waitingWords(making) ?? [t`Take ${takes.length}`, words ?? STATE_WORDS[making.state]].join(' · ')}
          </span>
        </span>
      )}
      {!making && state.isStale && (
        <span className={`ov tl ${styles.outdated}`}>
          <Icon of={RotateCcw} />
          {t`Outdated`}
        </span>
      )}
      <span className="ov bl">{t`${Number(seconds.toFixed(1))} s`}</span>
    </>
  );
}

/** Marks that the next take cannot be made, or that the shot is skipped. */
function StartMarks({ shot, media }: { shot: Shot; media: BoardHandle['media'] }) {
  const isLacking = picturesSent(shot).some((ref) => media.lookUp(ref).isGone === true);
  return (
    <>
      {isLacking && (
        <span className="ov tr">
          <Icon of={ImageOff} />
          {t`Picture missing`}
        </span>
      )}
      {shot.skipped && (
        <span className={`ov ${styles.skip}`}>
          <Icon of={SkipForward} />
          {t`Skipped`}
        </span>
      )}
    </>
  );
}

function NoPicture({ job, words }: { job: Job | undefined; words: string | undefined }) {
  if (!job) return <b>{t`No take yet`}</b>;
  if (job.state === 'failed') {
    return (
      <span className="st failed">
        <FailGlyph />
        <span>{failureWord(job)}</span>
      </span>
    );
  }
  return (
    <>
      <b>{STATE_WORDS[job.state]}</b>
      {words && <span>{words}</span>}
    </>
  );
}
