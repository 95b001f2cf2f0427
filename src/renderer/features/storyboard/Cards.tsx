import { Hourglass, ImageOff, Plus, RotateCcw, SkipForward, Volume2 } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, memo, useCallback, useEffect, useState } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import { shotTitle } from '../../../shared/board.ts';
import { pictureOf } from '../../../shared/film.ts';
import { isTerminal } from '../../../shared/job.ts';
import { counted, t } from '../../../shared/texts.ts';
import { useNow, useRunningWords, useStudio } from '../../app/index.ts';
import {
  AssetImage,
  CardBoundary,
  formatUtcDay,
  Icon,
  JobStateGlyph,
  PriceWords,
  rich,
  TakeNumber,
} from '../../ui/index.ts';
import { Loading, useEnds } from './ClipPicture.tsx';
import styles from './cards.module.css';
import { Joints } from './joint/Joints.tsx';
import { extendableUntil } from './model/extendable.ts';
import { picturesSent } from './model/shots.ts';
import type { TakeView } from './model/take.ts';
import { chargedOf, type ShotView } from './model/view.ts';
import { type BoardHandle, selectShot } from './useBoard.ts';

interface CardsProps {
  board: BoardHandle;
  selected: ShotView | undefined;
  onAdd: () => void;
  onRemove: (shot: ShotView) => void;
  /** To a place counted from 1. */
  onMove: (shot: ShotView, place: number) => void;
}

/** The shots in order with their joints. Arrows go from card to card, Alt and arrows move a card, Delete removes it. */
export function Cards(props: CardsProps) {
  const { board, selected, onAdd, onRemove } = props;
  const { dropAt, endDrag, target } = useDrop(props);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card that is moved is looked at too.
  useEffect(() => {
    document.getElementById(cardId(selected?.shot.id))?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected?.shot.id, selected?.number]);
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = shotOfCard(board, event.target) ?? selected;
    if (event.key === 'Delete' && at && !event.repeat) {
      onRemove(at);
      // The card goes with the focus in it: the keys go on at the one that is chosen instead.
      const neighbour = board.shots[at.number] ?? board.shots[at.number - 2];
      document.getElementById(cardId(neighbour?.shot.id))?.focus();
    }
    if (step === undefined || event.altKey || event.shiftKey || !at) return;
    event.preventDefault();
    const next = board.shots[at.number - 1 + step];
    if (!next) return;
    selectShot(next.shot.id);
    document.getElementById(cardId(next.shot.id))?.focus();
  };
  return (
    <div className={styles.cards}>
      <div className={styles.cardRow} {...target}>
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
                  isSelected={view.shot.id === selected?.shot.id}
                  drop={dropAt(index)}
                  onDragEnd={endDrag}
                />
              </CardBoundary>
            </div>
          ))}
        </div>
        <Joints board={board} selected={selected} />
      </div>
      <button type="button" className={styles.addShot} onClick={onAdd} aria-label={t`Add a shot`}>
        <Icon of={Plus} size="m" />
        {t`Shot`}
      </button>
    </div>
  );
}

/** Where the dragged card would come to stand, and what moves it there; `target` goes to the row of cards. */
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
      // Behind its old place the others have moved up by one.
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

/** The shot whose card has the focus, or an event: while the film plays, another one is chosen. */
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
  const { shot, number, takes, active } = view;
  const charged = chargedOf(takes);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: focus selects, the list box owns the keys.
    <div
      id={cardId(shot.id)}
      role="option"
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      className={`${styles.shot} ${isSelected ? styles.sel : ''} ${shot.skipped ? styles.skipped : ''}`}
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
        {rich`Shot ${number}, ${shot.skipped && t`skipped, `}${counted(takes.length, 'take')},`}{' '}
      </span>
      <Frames view={view} media={media} />
      <div className="row">
        <b className={styles.no}>{number}</b>
        <span className={`cut grow ${shot.prompt || shot.title ? '' : 't3'}`}>{shotTitle(shot)}</span>
      </div>
      <div className="row between">
        <span className="takes">
          {takes.length === 0 && <span className="t3">{t`no take`}</span>}
          {shownOn(takes, active).map((take) => (
            <TakeNumber
              key={take.jobId}
              number={take.number}
              verdict={take.job?.verdict}
              active={take.jobId === active?.jobId}
              doubt={take.job?.state === 'uncertain'}
            />
          ))}
        </span>
        {(charged.nano > 0 || charged.unpriced > 0) && (
          <PriceWords nano={charged.nano} lowNano={charged.lowNano} as="most" unpriced={charged.unpriced} />
        )}
      </div>
    </div>
  );
});

/** How many takes a card has room for. */
const SHOWN = 4;

/** The newest takes of a card, and the one that plays however old it is. */
function shownOn(takes: readonly TakeView[], active: TakeView | undefined): readonly TakeView[] {
  const newest = takes.slice(-SHOWN);
  return active === undefined || newest.includes(active) ? newest : [active, ...newest.slice(1)];
}

/** A kept take hangs on its model and its clip at the gateway. */
function ExtendableUntil({ take }: { take: TakeView | undefined }) {
  const now = useNow(600_000);
  const until = extendableUntil(
    take,
    useStudio(({ profiles }) => profiles),
    now,
  );
  if (until === undefined) return null;
  return (
    <span className="ov tr" title={t`Only ${take?.job?.model} can extend it, until ${formatUtcDay(until, now)}`}>
      <Icon of={Hourglass} />
      <span className="vh">{t`can be extended until`} </span>
      {formatUtcDay(until, now)}
    </span>
  );
}

/** What one should know of the shot first: that its next take cannot be made, that it is stale, or until when it can be extended. */
function TopMark({ view: { state, active }, isLacking }: { view: ShotView; isLacking: boolean }) {
  if (isLacking)
    return (
      <span className="ov tr" title={t`A picture that its next take is made from is not on this disk any more`}>
        <Icon of={ImageOff} />
        {t`picture gone`}
      </span>
    );
  if (!state.isStale) return <ExtendableUntil take={active} />;
  return (
    <span className="ov tr" title={t`What plays here was made from something else than what plays before it`}>
      <Icon of={RotateCcw} />
      {t`stale`}
    </span>
  );
}

/** The picture of an asset; `src` is shown in its place. */
function FramePicture({ asset, src }: { asset: Asset | undefined; src: string | undefined }) {
  if (src !== undefined) {
    return (
      <div className="media">
        <img className="fill" src={src} alt="" draggable={false} />
      </div>
    );
  }
  return (
    <div className={`media ${asset ? '' : styles.none}`}>
      {asset && <AssetImage asset={asset} className="fill" alt="" />}
    </div>
  );
}

/** Head and tail of the take that plays; before there is one, what the shot starts from. */
function Frames({ view, media }: Pick<CardProps, 'view' | 'media'>) {
  const { shot, active, takes } = view;
  const clip = active?.clip;
  const source = shot.source === 'references' ? shot.referenceImages[0] : (shot.image ?? shot.video);
  const { frames, isLoading } = useEnds(clip);
  const [first, last] = frames ?? [];
  const head = clip ?? pictureOf(source, media);
  const tail = clip ? clip.lastFrameId && { ...clip, thumbnailId: clip.lastFrameId } : pictureOf(shot.lastFrame, media);
  const isLacking = picturesSent(shot).some((ref) => media.lookUp(ref).isGone === true);
  const latest = takes.at(-1);
  const running = useRunningWords(latest?.job);
  const isOpen = latest?.job && !isTerminal(latest.job.state);
  return (
    <div className={styles.frames}>
      <FramePicture asset={head} src={first} />
      <FramePicture asset={tail || undefined} src={last} />
      {isLoading && <Loading />}
      {isOpen && latest.job && (
        <span className="ov tl">
          <JobStateGlyph state={latest.job.state} progress={latest.job.progress}>
            T{latest.number} {running}
          </JobStateGlyph>
        </span>
      )}
      <TopMark view={view} isLacking={isLacking} />
      <span className="ov bl">{view.seconds.toFixed(1)} s</span>
      {shot.skipped && (
        <span className={`ov ${styles.skip}`} title={t`Left out of the film, its length and its exports`}>
          <Icon of={SkipForward} />
          {t`skipped`}
        </span>
      )}
      {shot.config.generateAudio && (
        <span className="ov br" title={t`Native audio`}>
          <Icon of={Volume2} />
        </span>
      )}
    </div>
  );
}
