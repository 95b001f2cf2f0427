import { Plus, X } from 'lucide-react';
import type { Shot } from '../../../shared/board/board.ts';
import { isTerminal } from '../../../shared/jobs/job.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { leftMs, leftWords, replaceParams, useAsset, useNow, useRoute } from '../../app/index.ts';
import { Button, Icon, IconButton, ProgressRing, Thumb } from '../../ui/index.ts';
import styles from './cards.module.css';
import { Status } from './controls.tsx';
import { brokenChain } from './link/chains.ts';
import { FAILED, Ripple } from './link/Ripple.tsx';
import { continuation, hasRoomFor, patchShot, setReference, startedByHand } from './model/shots.ts';
import { playedShots, type ShotView } from './model/view.ts';
import { type BoardHandle, shotNow } from './useBoard.ts';
import type { BoardActions, LastAction } from './useBoardActions.ts';

interface NoticeProps {
  board: BoardHandle;
  shot: ShotView;
  actions: BoardActions;
}

/** One row of fixed height over the cards: a frame to place, the last action, otherwise the film's most urgent need. */
export function Notice({ board, shot, actions }: NoticeProps) {
  const { params } = useRoute();
  const { done } = actions;
  return (
    <div className={`row ${styles.notice}`}>
      {params.has('frame') ? (
        <FrameOffer board={board} view={shot} insert={actions.insert} />
      ) : done ? (
        <Done done={done} />
      ) : (
        <FilmState board={board} />
      )}
      <Button className="fixed" aria-label={t`Add shot`} onClick={() => actions.add(board.shots.at(-1))}>
        <Icon of={Plus} />
        <span className={styles.wide}>{t`Add shot`}</span>
      </Button>
    </div>
  );
}

/** The last action, with its undo. */
export function Done({ done: { text, back } }: { done: LastAction }) {
  return <Status text={text}>{back && <Button onClick={back.onBack}>{back.label}</Button>}</Status>;
}

/** The first that applies: refused, outdated, being made, scheduled, or all well. */
function FilmState({ board }: { board: BoardHandle }) {
  const { shots } = board;
  const refused = playedShots(shots).find(isRefused);
  const isOpen = brokenChain(shots) !== undefined || shots.some(({ state }) => state.isStale);
  const open = shots.flatMap(({ takes }) => takes.flatMap(({ job }) => (job && !isTerminal(job.state) ? job : [])));
  const making = open.filter(({ reason }) => reason !== 'window' && reason !== 'key');
  const now = useNow(making.length > 0 ? 1_000 : undefined);
  if (refused && !brokenChain(shots))
    return <Status mark={FAILED} text={t`Shot ${refused.number} has no take.`} isQuiet />;
  if (isOpen) return <Ripple board={board} />;
  if (open.length === 0) {
    const isNew = shots.every(({ takes }) => takes.length === 0);
    return <Status text={isNew ? t`One card is one shot.` : t`All shots are up to date.`} isQuiet />;
  }
  if (making.length === 0) {
    const text = open.some(({ reason }) => reason === 'key')
      ? t`${counted(open.length, 'take waits', 'takes wait')} for the API key.`
      : t`${counted(open.length, 'take waits', 'takes wait')} for an overnight run.`;
    return <Status text={text} isQuiet />;
  }
  const left = leftWords(Math.max(...making.map((job) => leftMs(job, now))));
  const text = [t`${counted(making.length, 'take is', 'takes are')} being made`, left].filter(Boolean).join(', ');
  return <Status mark={RUNNING} text={text} isQuiet />;
}

const RUNNING = (
  <span className="st running">
    <ProgressRing />
  </span>
);

/** Whether all its takes failed. */
const isRefused = ({ takes }: ShotView): boolean =>
  takes.at(-1)?.job?.state === 'failed' && !takes.some(({ job }) => job?.state === 'succeeded');

interface FrameOfferProps {
  board: BoardHandle;
  view: ShotView;
  insert: BoardActions['insert'];
}

/** A picture from another page (`?frame=ID`): asks where in the selected shot it goes. */
export function FrameOffer({ board, view, insert }: FrameOfferProps) {
  const { params } = useRoute();
  const asset = useAsset(params.get('frame') ?? undefined);
  if (!asset) return null;
  const { shot } = view;
  const ref = { assetId: asset.id };
  const use = (patch: Partial<Shot>) => {
    board.sync.edit(
      patchShot(shot.id, startedByHand({ ...shot, ...(patch.image ? { joint: undefined } : {}) }, patch)),
    );
    replaceParams('storyboard', {});
  };
  const place = { index: shot.referenceImages.length, was: undefined };
  const refer = () => {
    const now = shotNow(board, shot.id);
    if (!now || !hasRoomFor(now.referenceImages, place)) return;
    const added = setReference(now, place, ref);
    const started = patchShot(shot.id, startedByHand(now, { source: 'references' }));
    board.sync.edit((shots) => started(added(shots)));
    replaceParams('storyboard', {});
  };
  const begin = () => {
    insert(continuation(crypto.randomUUID(), shot, ref), shot.id);
    replaceParams('storyboard', {});
  };
  return (
    <div className={`row grow ${styles.boardStatus}`} role="status">
      <Thumb asset={asset} small />
      <span className="cut grow">{t`Use “${asset.name}” in shot ${view.number} as`}</span>
      <Button onClick={() => use({ image: ref, source: shot.source === 'firstLast' ? 'firstLast' : 'first' })}>
        {t`First frame`}
      </Button>
      <Button onClick={() => use({ lastFrame: ref, source: 'firstLast' })}>{t`Last frame`}</Button>
      <Button
        off={hasRoomFor(shot.referenceImages, place) ? undefined : t`No room: three references at most.`}
        onClick={refer}
      >
        {t`Reference`}
      </Button>
      <Button onClick={begin}>{t`New shot`}</Button>
      <IconButton label={t`Not now`} onClick={() => replaceParams('storyboard', {})}>
        <Icon of={X} />
      </IconButton>
    </div>
  );
}
