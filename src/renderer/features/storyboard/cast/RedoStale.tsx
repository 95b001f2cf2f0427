import { useState } from 'react';
import { shotTitle } from '../../../../shared/board/board.ts';
import type { CastMember } from '../../../../shared/board/cast.ts';
import { t } from '../../../../shared/text/texts.ts';
import { PriceRow, SpendBar, usePrice } from '../../../spending/index.ts';
import { Button, Checkbox, PriceTag, Section } from '../../../ui/index.ts';
import { numbersOf, takesText } from '../link/chains.ts';
import { keepAsTheyAre, useChain } from '../link/useChain.ts';
import { quantityOfShot } from '../model/draft.ts';
import { plannedSeconds } from '../model/shots.ts';
import type { BoardHandle } from '../useBoard.ts';
import styles from './names.module.css';
import { type CastColumn, followingOf } from './useCast.ts';

interface RedoProps {
  board: BoardHandle;
  member: CastMember;
  columns: readonly CastColumn[];
}

/** The shots made from an old reference image of a member, to be made again; shots made from those are listed separately, unticked. */
export function useRedo({ member, columns }: Omit<RedoProps, 'board'>) {
  /** Manual ticks by shot; they stay if the shot moves to the other list. */
  const [chosenByHand, setChosenByHand] = useState<ReadonlyMap<string, boolean>>(new Map());
  const stale = columns.filter(({ cells }) => cells.get(member.id)?.isStale);
  const following = followingOf(columns, stale);
  const isTicked = (column: CastColumn) => chosenByHand.get(column.view.shot.id) ?? stale.includes(column);
  const toggle = (column: CastColumn) =>
    setChosenByHand((before) => new Map(before).set(column.view.shot.id, !isTicked(column)));
  const rows = [...stale, ...following];
  return { stale, rows, isTicked, toggle, chosen: rows.filter(isTicked) };
}

type Redo = ReturnType<typeof useRedo>;

const quantitiesOf = (columns: readonly CastColumn[]) => columns.flatMap(({ view }) => quantityOfShot(view.shot) ?? []);

export function RedoList({ redo: { rows, stale, isTicked, toggle } }: { redo: Redo }) {
  const priced = rows.filter(({ view }) => quantityOfShot(view.shot));
  const { price } = usePrice(quantitiesOf(priced));
  return (
    <Section title={t`Outdated`}>
      <ul className={`mb ${styles.redo}`}>
        {rows.map((column) => {
          const { shot, number } = column.view;
          const item = price?.items[priced.indexOf(column)];
          return (
            <li key={shot.id} className="row between">
              <Checkbox checked={isTicked(column)} onChecked={() => toggle(column)}>
                <b>{number}</b>
                <span className="cut">
                  {stale.includes(column)
                    ? `${shotTitle(shot)}, ${plannedSeconds(shot)} s`
                    : t`Continues from one of these`}
                </span>
              </Checkbox>
              {item && <PriceTag nano={item.nano} lowNano={item.lowNano} unpriced={item.unpriced ? 1 : 0} />}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** Makes a take of each ticked shot, all or none, at the shown price. */
export function RedoBar({ board, redo: { chosen, stale } }: { board: BoardHandle; redo: Redo }) {
  const shots = board.shots.filter((each) => chosen.some(({ view }) => view.shot.id === each.shot.id));
  const chain = useChain(board, shots);
  const views = stale.map(({ view }) => view);
  const label = t`Make ${numbersOf(shots)} again`;
  const off = shots.length === 0 ? t`Select a shot first.` : chain.off;
  return (
    <SpendBar label={label} off={off} {...chain.order(label)}>
      <PriceRow what={takesText(shots.length, chain.seconds)} now={chain.now} kind="video" />
      <div className="row">
        <Button variant="ghost" onClick={() => keepAsTheyAre(board, views)}>
          {t`Keep as it is`}
        </Button>
      </div>
    </SpendBar>
  );
}
