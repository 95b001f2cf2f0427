import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, CornerDownRight, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { ActionButton, onlyChosen, useShortcut } from '../../app/index.ts';
import { Icon, Refusal } from '../../ui/index.ts';
import { moveChosen } from './dragging.ts';
import styles from './queue.module.css';
import type { JobChoice } from './state.ts';

/** The waiting jobs in order, counted from 0. */
export interface WaitingLine {
  total: number;
  /** Undefined if that part of the line has not been read. */
  indexOf(id: string): number | undefined;
  idAt(index: number): Promise<string | undefined>;
}

interface CascadeBarProps {
  label: string;
  words: string;
  role?: 'status';
  refusal: string | undefined;
  children: ReactNode;
}

/** The effect of an action on the selection, or why it was refused, and the actions. */
export const CascadeBar = ({ label, words, role, refusal, children }: CascadeBarProps) => (
  <section className={`row wrap ${styles.cascade}`} aria-label={label}>
    <Icon of={CornerDownRight} />
    {refusal === undefined && (
      <span className="whole grow" role={role}>
        {words}
      </span>
    )}
    <Refusal text={refusal} />
    {children}
  </section>
);

type Action = 'queue.first' | 'queue.earlier' | 'queue.later' | 'queue.last';
type Move = [action: Action, icon: LucideIcon, word: string, move: () => void, off?: string | undefined];

/** Moves the selected waiting jobs. For one job, moving to the first and last place has only keys. */
export function MoveButtons({ choice, line }: { choice: JobChoice; line: WaitingLine }) {
  const isOne = onlyChosen(choice) !== undefined;
  const places = choice.all ? [] : [...choice.ids].flatMap((id) => line.indexOf(id) ?? []);
  const first = Math.min(...places);
  const last = Math.max(...places);
  const before = async (index: number) => {
    const id = await line.idAt(index);
    // No id means the end of the line, or a row that could not be read.
    if (id !== undefined) await moveChosen(choice, { before: id });
    else if (index >= line.total) await moveChosen(choice, 'last');
  };
  const unseen = places.length === 0 ? t`Not in the list` : undefined;
  const isAtStart = first === 0 && last === places.length - 1;
  const isAtEnd = last === line.total - 1 && first === line.total - places.length;
  const toFirst = () => void moveChosen(choice, 'first');
  const toLast = () => void moveChosen(choice, 'last');
  const earlier = () => void before(Math.max(0, first - 1));
  const later = () => void before(last + 2);
  useShortcut('queue.first', toFirst, isOne);
  useShortcut('queue.last', toLast, isOne);
  const steps: Move[] = [
    ['queue.earlier', ArrowUp, t`Earlier`, earlier, unseen ?? (isAtStart ? t`Already first.` : undefined)],
    ['queue.later', ArrowDown, t`Later`, later, unseen ?? (isAtEnd ? t`Already last.` : undefined)],
  ];
  const ends: [Move, Move] = [
    ['queue.first', ArrowUpToLine, t`First`, toFirst],
    ['queue.last', ArrowDownToLine, t`Last`, toLast],
  ];
  const moves = isOne ? steps : [ends[0], ...steps, ends[1]];
  return moves.map(([action, icon, word, move, off]) => (
    <ActionButton key={action} variant="ghost" action={action} title={word} off={off} onDo={move}>
      <Icon of={icon} />
      <span className={styles.word}>{word}</span>
    </ActionButton>
  ));
}
