import { useState } from 'react';
import type { Shot } from '../../../../shared/board/board.ts';
import { seamLimitsOf } from '../../../../shared/film/continuityLimits.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, useModelLimits, useShortcut } from '../../../app/index.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import { PriceRow, SpendBar, usePrice } from '../../../spending/index.ts';
import { Panel, PriceWords, Section, TextAction } from '../../../ui/index.ts';
import { reasonText } from '../../../words/index.ts';
import { WayButton } from '../controls.tsx';
import { ordering } from '../inspector/SendBar.tsx';
import { type Fitting, fittingOf, staleText, takesText } from '../link/chains.ts';
import { LINK_NAMES, useLinkChoices } from '../link/linkChoices.ts';
import { keepAsTheyAre } from '../link/useChain.ts';
import { quantityOfShot, reasonsOfShot } from '../model/draft.ts';
import { plannedSeconds } from '../model/shots.ts';
import type { TakeOrder } from '../model/sync.ts';
import { type BoardHandle, playTake } from '../useBoard.ts';
import { whyFull } from '../useBoardActions.ts';
import { Findings } from './Findings.tsx';
import type { SeamView } from './seam.ts';
import styles from './seams.module.css';
import { type NumberedWay, type Way, waysOf } from './ways.ts';

interface SeamSideProps {
  board: BoardHandle;
  view: SeamView;
}

/** What jumps at a link, the options, and the price of the chosen one. */
export function SeamSide({ board, view }: SeamSideProps) {
  const { before, after } = view;
  const [newId, setNewId] = useState(() => crypto.randomUUID());
  const { ways, fitting } = useWays(board, view, newId);
  const [picked, setPicked] = useState<number>();
  const choose = (number: number) => {
    const way = ways.find((one) => one.number === number);
    if (!way) return;
    if (way.off) return announce(way.off);
    if (way.makes) return setPicked(number);
    if (way.edit) board.sync.edit(way.edit);
    if (way.plays) playTake(board, way.plays.shotId, way.plays.jobId, way.plays.index);
    // The paid option that was chosen may have nothing to fix any more.
    setPicked(undefined);
    announce(`${t`Done`}: ${way.title}`);
  };
  const onSent = () => {
    setPicked(undefined);
    // The next transition would add another shot.
    setNewId(crypto.randomUUID());
  };
  const chosen = picked ?? wayToOffer(view, ways, fitting);
  const way = ways.find(({ number }) => number === chosen);
  const shown = view.verdict === 'not measured' ? ways.filter(({ off }) => off === undefined) : ways;
  return (
    <Panel label={t`Link`}>
      <div className="bar">
        <h2>{t`Link ${before.number} to ${after.number}`}</h2>
        {after.link?.isStale ? (
          <span className="stale-tag">{t`Outdated`}</span>
        ) : (
          <span className="t3">{LINK_NAMES[after.link?.kind ?? 'cut']}</span>
        )}
      </div>
      <div className="scroll">
        {after.state.isStale && <WhyStale board={board} view={view} />}
        <Findings board={board} view={view} />
        {shown.length > 0 && (
          <Section title={t`Options`}>
            <Ways ways={shown} chosen={chosen} onChoose={choose} />
          </Section>
        )}
      </div>
      {way?.makes && (
        <WaySend key={`${after.shot.id} ${way.title}`} board={board} way={way} makes={way.makes} onSent={onSent} />
      )}
    </Panel>
  );
}

function useWays(board: BoardHandle, view: SeamView, newId: string): { ways: NumberedWay[]; fitting: Fitting } {
  const { before, after } = view;
  const choices = useLinkChoices(board, after);
  const fitting = fittingOf(board.shots, after, { assets: board.media.assets, cast: board.board?.cast });
  const takes = [before, after].flatMap((shot) => shot.takes.flatMap(({ clip }) => clip?.sha256 ?? []));
  return {
    ways: waysOf(view, {
      choices,
      files: useMeasures(takes),
      limits: seamLimitsOf(board.board),
      newId,
      fitting,
      full: whyFull(board.shots.length),
    }),
    fitting,
  };
}

/** A paid option is preselected only if there is something to fix, and no existing or coming take fixes it. */
function wayToOffer(
  { verdict, after }: SeamView,
  ways: readonly NumberedWay[],
  { done, coming }: Fitting,
): number | undefined {
  const isToFix = verdict === 'jumps' || (after.link?.isStale && verdict !== 'meant');
  return isToFix && !done && !coming ? ways.find(({ makes }) => makes)?.number : undefined;
}

function WhyStale({ board, view: { after } }: SeamSideProps) {
  return (
    <Section>
      <p>{staleText({ shots: board.shots, cast: board.board?.cast }, [after])}</p>
      <TextAction onClick={() => keepAsTheyAre(board, [after])}>{t`Keep as it is`}</TextAction>
    </Section>
  );
}

interface WaysProps {
  ways: readonly NumberedWay[];
  chosen: number | undefined;
  onChoose: (number: number) => void;
}

function Ways({ ways, chosen, onChoose }: WaysProps) {
  const keys = [
    useShortcut('seams.way1', () => onChoose(1)),
    useShortcut('seams.way2', () => onChoose(2)),
    useShortcut('seams.way3', () => onChoose(3)),
    useShortcut('seams.way4', () => onChoose(4)),
    useShortcut('seams.way5', () => onChoose(5)),
  ];
  return (
    <div className={`ways mt ${styles.seamWays}`}>
      {ways.map(({ number, title, text, off, makes }) => (
        <WayButton
          key={number}
          title={title}
          end={makes ? <WayPrice shot={makes.shot} /> : off === undefined && <span className="t3">{t`Free`}</span>}
          hint={keys[number - 1]}
          off={off}
          isChosen={makes && number === chosen}
          onClick={() => onChoose(number)}
        >
          {text}
        </WayButton>
      ))}
    </div>
  );
}

/** The price of the chosen option, and its button. Existing takes are never replaced. */
function WaySend({
  board,
  way,
  makes: { shot, order },
  onSent,
}: {
  board: BoardHandle;
  way: Way;
  makes: NonNullable<Way['makes']>;
  onSent: () => void;
}) {
  const limitsOf = useModelLimits();
  const [reason] = reasonsOfShot(shot, board.board?.cast, board.media.lookUp, limitsOf(shot.model));
  const now = usePrice(quantityOfShot(shot));
  const ask = async (at: TakeOrder) => {
    const answer = await board.sync.makeTake(shot.id, { ...at, ...order });
    if (answer.ok) onSent();
    return answer;
  };
  return (
    <SpendBar label={way.title} off={reason ? reasonText(reason) : now.off} {...ordering(way.title, now, ask)}>
      <PriceRow what={takesText(1, plannedSeconds(shot))} now={now} kind="video" />
    </SpendBar>
  );
}

/** The price of an option, in its line. */
function WayPrice({ shot }: { shot: Shot }) {
  const { price } = usePrice(quantityOfShot(shot));
  if (!price) return <span className="t3">–</span>;
  return <PriceWords nano={price.estimateNano} lowNano={price.lowNano} as="range" unpriced={price.unpriced} />;
}
