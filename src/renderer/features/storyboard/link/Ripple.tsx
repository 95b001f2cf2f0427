import { RotateCcw } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { MAX_CHAIN } from '../../../../shared/board/board.ts';
import { t } from '../../../../shared/text/texts.ts';
import { MoneyPlate, useSpendChord } from '../../../app/index.ts';
import {
  LeftToday,
  type SendFailure,
  TonightButton,
  type TonightOrder,
  useNowOrTonight,
} from '../../../spending/index.ts';
import { Button, FailGlyph, Icon, PriceWords } from '../../../ui/index.ts';
import styles from '../cards.module.css';
import { Status } from '../controls.tsx';
import type { ShotView, TakeView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import {
  type BrokenChain,
  brokenChain,
  brokenText,
  fittingOf,
  numbersOf,
  shotsText,
  staleText,
  usingTakes,
} from './chains.ts';
import { keepAsTheyAre, useChain } from './useChain.ts';

interface RippleProps {
  board: BoardHandle;
  /** Whether remaking is the main action of the page. */
  isMain?: boolean | undefined;
}

/** The shots that no longer fit together, the price to remake them, and the button to keep them. */
export function Ripple({ board, isMain }: RippleProps) {
  const { shots } = board;
  const broken = brokenChain(shots);
  const stale = shots.filter(({ state, isBeingRedone }) => state.isStale && !isBeingRedone);
  const redone = shots.filter(({ isBeingRedone }) => isBeingRedone);
  if (broken) return <Broken board={board} broken={broken} isMain={isMain} />;
  if (stale.length > 0) return <Stale board={board} stale={stale} isMain={isMain} />;
  if (redone.length === 0) return null;
  return (
    <Status
      mark={<StaleCount count={redone.length} />}
      text={t`A new take of ${shotsText(redone)} is coming.`}
      isQuiet
    />
  );
}

function Stale({ board, stale, isMain }: RippleProps & { stale: readonly ShotView[] }) {
  const text = staleText({ shots: board.shots, cast: board.board?.cast }, stale);
  return (
    <Status mark={<StaleCount count={stale.length} />} text={text}>
      <Button variant="ghost" onClick={() => keepAsTheyAre(board, stale)}>
        {keepText(stale)}
      </Button>
      <UseFitting board={board} stale={stale} />
      <Redo board={board} shots={stale} isMain={isMain} />
    </Status>
  );
}

/** Selects existing takes that fit, before anything is paid. */
export function UseFitting({ board, stale }: { board: BoardHandle; stale: readonly ShotView[] }) {
  const by = { assets: board.media.assets, cast: board.board?.cast };
  const uses = stale.flatMap((view) => {
    const { done } = fittingOf(board.shots, view, by);
    return done ? [{ view, take: done }] : [];
  });
  if (uses.length === 0) return null;
  return <Button onClick={() => board.sync.edit(usingTakes(uses))}>{usesText(uses)}</Button>;
}

function usesText(uses: readonly { view: ShotView; take: TakeView }[]): string {
  const [only] = uses;
  return uses.length === 1 && only
    ? t`Use take ${only.take.number} of shot ${only.view.number}, free`
    : t`Use fitting takes of ${numbersOf(uses.map(({ view }) => view))}, free`;
}

function Broken({ board, broken, isMain }: RippleProps & { broken: BrokenChain }) {
  const shots = [broken.head, ...broken.behind].toSorted((a, b) => a.number - b.number);
  return (
    <Status mark={FAILED} text={brokenText(broken)}>
      <Redo board={board} shots={shots} isMain={isMain} />
    </Status>
  );
}

export const FAILED = (
  <span className="st failed">
    <FailGlyph />
  </span>
);

function redoText(shots: readonly ShotView[]): string {
  if (shots.length === 1) return t`Make shot ${shots[0]?.number} again`;
  return t`Make all ${shots.length} again`;
}

function keepText(shots: readonly ShotView[]): string {
  if (shots.length === 1) return t`Keep shot ${shots[0]?.number}`;
  return t`Keep all ${shots.length}`;
}

export const StaleCount = ({ count }: { count: number }) => (
  <span className="stale-tag">
    <Icon of={RotateCcw} />
    <span className={styles.wide}>{t`${count} outdated`}</span>
  </span>
);

/** Makes outdated shots again, at the price of all, now or tonight. */
export function Redo({ board, shots, isMain }: RippleProps & { shots: readonly ShotView[] }) {
  const some = shots.slice(0, MAX_CHAIN);
  const chain = useChain(board, some);
  const { price } = chain.now;
  return (
    <>
      {price && <MoneyPlate />}
      {isMain && <LeftToday price={price} />}
      <SendButton off={chain.off} {...chain.order(redoText(some))} isMain={isMain}>
        {redoText(some)}
        {price && <PriceWords nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />}
      </SendButton>
    </>
  );
}

interface SendButtonProps {
  /** Why it is not possible yet. */
  off: string | undefined;
  onSend: () => Promise<SendFailure>;
  tonight?: TonightOrder;
  /** Whether it is the main button of its page, which the spending chord presses. */
  isMain?: boolean | undefined;
  /** The label, with the price in it or beside it. */
  children: ReactNode;
}

/** A button that spends the shown price; the chord presses it only if it is the main button. One press is one request. */
export function SendButton(props: SendButtonProps) {
  const { isMain = false } = props;
  const { order, off, night, isBusy, error, isUnknown } = useNowOrTonight(props);
  const button = useRef<HTMLButtonElement>(null);
  const hint = useSpendChord(button, () => !off && order(false), { enabled: isMain, isMain });
  return (
    <>
      {error && (
        <span className="t2 whole" role="alert">
          {error} {isUnknown ? t`The request may already be queued.` : t`Nothing was sent.`}
        </span>
      )}
      <Button
        ref={button}
        variant={isMain ? 'primary' : 'secondary'}
        kbd={hint}
        off={off}
        title={off}
        busy={isBusy}
        onClick={() => order(false)}
      >
        {props.children}
      </Button>
      {props.tonight && <TonightButton night={night} />}
    </>
  );
}
