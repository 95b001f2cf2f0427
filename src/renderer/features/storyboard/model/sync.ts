import { contentOfTakes } from '../../../../shared/board/assignReferences.ts';
import { type Board, type BoardContent, type BoardStep, contentOf, wideOf } from '../../../../shared/board/board.ts';
import { fieldsOf, fieldsOfThose, isSame, oneFieldOf } from '../../../../shared/board/boardChanges.ts';
import type { CallInput } from '../../../../shared/contract/contract.ts';
import type { Result, StudioError } from '../../../../shared/contract/result.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { ShownPrice } from '../../../../shared/money/ledger.ts';
import { t } from '../../../../shared/text/texts.ts';
import { editsKept, textOfEdits } from './keptEdits.ts';
import {
  type ContentEdit,
  judged,
  notSavedText,
  type PendingEdit,
  type Refusal,
  refusedBySave,
  shotOfError,
  withEdits,
} from './pending.ts';
import type { BoardEdit } from './shots.ts';

/** The studio's side of a board. */
export interface BoardPort {
  get(): Promise<Result<Board>>;
  save(board: Board): Promise<Result<Board>>;
  /** `content`: what the take is made from; the shot's id alone does not tell. */
  makeTake(shotId: string, order: ShotOrder, content: string): Promise<Result<{ job: Job; board: Board }>>;
  step(way: UndoDirection): Promise<Result<BoardStep>>;
  /** The number of connections to the studio: each may bring an older board, restored from a backup. */
  connection(): number;
  /** Runs after a delay, so that typing is one save; the returned function cancels it. */
  later(run: () => void): () => void;
  /** Remakes a take from its request, not from the shot. */
  promoteTake(promotion: Promoted, order: TakeOrder): Promise<Result<{ job: Job; board: Board }>>;
  /** `content`: what the takes are made from. */
  makeTakes(shotIds: string[], order: TakeOrder, content: string): Promise<Result<{ jobs: Job[]; board: Board }>>;
  /** Pending edits, kept in this window over a reload. */
  kept: { read(): string | undefined; write(text: string | undefined): void };
}

/** How takes are requested: at the shown price, in the scheduled run or now. */
export interface TakeOrder {
  shown: ShownPrice | undefined;
  night?: boolean;
}

/** A take of one shot, with the board change that comes with it. */
export type ShotOrder = TakeOrder & Pick<CallInput<'storyboard.makeTake'>, 'start' | 'added'>;

/** The take to remake, and its higher quality. */
export type Promoted = Pick<CallInput<'storyboard.promoteTake'>, 'shotId' | 'jobId' | 'resolution' | 'model'>;

/** Undo or redo. */
export type UndoDirection = 'undo' | 'redo';

export interface BoardState {
  /** The shown board: the saved one with pending edits on top. */
  board: Board | undefined;
  error: StudioError | undefined;
  /** The number of edits still to be saved. */
  unsaved: number;
  /** Why edits that the board cannot accept are not saved; shown until they are fixed or taken back. */
  refused: readonly Refusal[];
}

const MOST_CONFLICTS = 5;
/** Typing without a pause is saved too: including the delay, within 2 seconds. */
const MOST_WAIT_MS = 1_500;
const TYPING_PAUSE_MS = 200;

/**
 * Syncs one board with the studio. Edits show at once and are saved together; if another save came first, the newer board is read and the
 * edits are applied on top, so that neither side is lost.
 */
export class BoardSync {
  private readonly port: BoardPort;
  private readonly listeners = new Set<() => void>();
  private readonly typingListeners = new Set<() => void>();
  private saved: Board | undefined;
  private pending: PendingEdit[] = [];
  private savedInConnection = 0;
  /** Saves without an answer yet; any of them may be on the board. */
  private unanswered: UnansweredSave[] = [];
  private error: StudioError | undefined;
  private running: Promise<boolean> | undefined;
  private cancelTimer: (() => void) | undefined;
  /** Set while a field shows text that the rest of the page does not show yet. */
  private pause: ReturnType<typeof setTimeout> | undefined;
  /** When the oldest unsaved edit was made. */
  private waitingSince: number | undefined;
  private shown: BoardState = { board: undefined, error: undefined, unsaved: 0, refused: [] };

  constructor(port: BoardPort) {
    this.port = port;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** For the field being typed in, which hears of every key. Other listeners hear when typing pauses. */
  readonly subscribeToTyping = (listener: () => void): (() => void) => {
    this.typingListeners.add(listener);
    return () => this.typingListeners.delete(listener);
  };

  /** Always current, even before listeners are notified. */
  readonly state = (): BoardState => this.shown;

  async load(): Promise<void> {
    const answer = await this.port.get();
    const isFirst = this.saved === undefined;
    if (answer.ok) this.accept(answer.data);
    if (this.saved && isFirst)
      this.pending = [...editsKept(this.port.kept.read(), contentOf(this.saved)), ...this.pending];
    this.error = answer.ok ? undefined : answer.error;
    this.notify();
    if (this.pending.length > 0) this.flushSoon();
  }

  /** Edits the shots: shown at once, saved soon. */
  edit(edit: BoardEdit): void {
    this.editContent((content) => ({ ...content, shots: edit(content.shots) }));
  }

  /** Edits the whole content: one edit of several parts is one undoable step. */
  editContent(edit: ContentEdit): void {
    this.pending = [...this.pending, { edit }];
    this.notify();
    this.flushSoon();
  }

  /** A key typed in a field: the page redraws once the typing pauses, or the field is left. */
  type(edit: BoardEdit): void {
    this.pending = [...this.pending, { edit: (content) => ({ ...content, shots: edit(content.shots) }) }];
    this.show();
    clearTimeout(this.pause);
    this.pause = setTimeout(this.endTyping, TYPING_PAUSE_MS);
    for (const listener of this.typingListeners) listener();
    this.flushSoon();
  }

  /** Notifies all listeners of the typed text. */
  readonly endTyping = (): void => {
    if (this.pause !== undefined) this.notify();
  };

  /** Takes back a refused edit. */
  takeBack(refusal: Refusal): void {
    this.pending = this.pending.filter(({ refused }) => refused !== refusal);
    this.notify();
  }

  /** Sends refused edits again, since the studio's reasons may have changed. */
  async retry(): Promise<void> {
    this.askAgain(() => true);
    this.notify();
    await this.flush();
  }

  private flushSoon(): void {
    this.cancelTimer?.();
    this.waitingSince ??= performance.now();
    const isLongEnough = performance.now() - this.waitingSince >= MOST_WAIT_MS;
    if (isLongEnough && !this.running) return void this.flush();
    this.cancelTimer = this.port.later(() => void this.flush());
  }

  /** Keeps pending edits for the next page of this window, which may load before they are saved. */
  keep(): void {
    this.port.kept.write(this.saved && textOfEdits(contentOf(this.saved), this.pending));
  }

  /**
   * Saves pending edits; false if that failed. Failed edits stay and are tried again by the next call; refused edits are not waited for.
   */
  flush(): Promise<boolean> {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    this.waitingSince = undefined;
    this.running ??= this.write().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Saves pending edits; returns the error if that failed. Refused edits count if they are in the way. */
  async whyUnsaved(
    isInTheWay: (saved: BoardContent, shown: BoardContent) => boolean,
  ): Promise<StudioError | undefined> {
    if (!(await this.flush())) return this.error ?? UNSAVED;
    const refusal = this.shown.refused[0];
    if (!refusal || !this.saved || !this.shown.board) return undefined;
    const isFree = !isInTheWay(contentOf(this.saved), contentOf(this.shown.board));
    return isFree ? undefined : { code: refusal.error.code, message: notSavedText(refusal, this.shown.board) };
  }

  /** Called when another window or the studio has saved the board. */
  async changedTo(revision: number): Promise<void> {
    await this.running;
    // A first reading in progress may be older than the announced revision.
    if (!this.saved || revision > this.saved.revision) await this.load();
  }

  /** Enqueues a take of the shot as shown, or as changed by the request; saves pending edits first. */
  async makeTake(shotId: string, order: ShotOrder): Promise<Result<Job>> {
    const error = await this.whyUnsaved(changesOrder([shotId]));
    if (error) return { ok: false, error };
    const shot = this.saved?.shots.find(({ id }) => id === shotId);
    // Includes the request's change: once the take exists, the board has that change too, and it is still the same request.
    const content = contentOfTakes(shot ? [{ ...shot, ...order.start }] : [], this.saved?.cast);
    const answer = this.withBoard(await this.port.makeTake(shotId, order, content));
    return answer.ok ? { ok: true, data: answer.data.job } : answer;
  }

  /** Enqueues a remake of a take in higher quality. */
  async promoteTake(promotion: Promoted, order: TakeOrder): Promise<Result<Job>> {
    const answer = this.withBoard(await this.port.promoteTake(promotion, order));
    return answer.ok ? { ok: true, data: answer.data.job } : answer;
  }

  /** One step of undo or redo on the shown board; saves pending edits first. */
  async step(way: UndoDirection): Promise<Result<BoardStep>> {
    const error = await this.whyUnsaved(() => false);
    if (error) return { ok: false, error };
    return this.withBoard(await this.port.step(way));
  }

  /** Enqueues a take of each shot as shown, each from the one before; saves pending edits first. */
  async makeTakes(shotIds: string[], order: TakeOrder, content: string): Promise<Result<Job[]>> {
    const error = await this.whyUnsaved(changesOrder(shotIds));
    if (error) return { ok: false, error };
    const answer = this.withBoard(await this.port.makeTakes(shotIds, order, content));
    return answer.ok ? { ok: true, data: answer.data.jobs } : answer;
  }

  private async write(): Promise<boolean> {
    if (!this.saved) return this.pending.length === 0;
    this.judge();
    for (let conflicts = 0; ; ) {
      const step = ofOneStep(contentOf(this.saved), this.pending);
      if (step.length === 0) return true;
      const before = this.saved;
      const sent: Board = { ...before, ...withEdits(contentOf(before), step) };
      this.noteUnanswered({ step, before: contentOf(before), sent: contentOf(sent) });
      const answer = await this.port.save(sent);
      if (answer.ok) {
        this.pending = this.pending.filter((one) => !isOf(step, one));
        this.unanswered = [];
        this.error = undefined;
        this.accept(answer.data);
        this.askAgain(({ shotId }) => !isSame(partOf(before, shotId), partOf(answer.data, shotId)));
        this.notify();
      } else if (answer.error.code === 'conflict' && ++conflicts <= MOST_CONFLICTS) {
        await this.load();
        if (this.error) return false;
        this.dropSaved();
        this.notify();
      } else if (this.failed(step, sent, answer.error)) return false;
    }
  }

  /** Returns false if other edits can continue: this one was refused, or is on the board read meanwhile. */
  private failed(step: readonly PendingEdit[], sent: Board, error: StudioError): boolean {
    if (refusedBySave(error)) {
      this.refuse(step, { error, shotId: shotOfError(error, sent), isFinal: true });
      return false;
    }
    if (!this.pending.some((one) => isOf(step, one))) return false;
    this.error = error;
    this.notify();
    return true;
  }

  /** While disconnected, the same save is tried repeatedly, and noted once. */
  private noteUnanswered(save: UnansweredSave): void {
    const isTried = this.unanswered.some(
      ({ step }) => step.length === save.step.length && step.every((one) => isOf(save.step, one)),
    );
    if (!isTried) this.unanswered.push(save);
  }

  /** Drops edits that are already on the board: applying an edit twice may not give the same result. */
  private dropSaved(): void {
    const { saved } = this;
    const done = saved && this.unanswered.find((save) => isOnBoard(contentOf(saved), save));
    this.unanswered = [];
    if (!done) return;
    this.pending = this.pending.filter((one) => !isOf(done.step, one));
    if (this.pending.every(({ refused }) => refused)) this.error = undefined;
  }

  /** Marks edits as refused, so that others can be saved. */
  private refuse(step: readonly PendingEdit[], refused: Refusal): void {
    this.pending = this.pending.map((one) => (isOf(step, one) ? { ...one, refused } : one));
    this.error = undefined;
    this.notify();
  }

  /** A refused edit may pass once what the refusal is about has changed. */
  private askAgain(isOther: (refusal: Refusal) => boolean): void {
    this.pending = this.pending.map((one) => (one.refused && isOther(one.refused) ? { edit: one.edit } : one));
  }

  private withBoard<Answer extends { board: Board }>(answer: Result<Answer>): Result<Answer> {
    if (answer.ok) {
      this.accept(answer.data.board);
      this.notify();
    }
    return answer;
  }

  private accept(board: Board): void {
    const life = this.port.connection();
    if (this.saved && board.revision < this.saved.revision && life === this.savedInConnection) return;
    const isOther = board.revision !== this.saved?.revision;
    this.saved = board;
    this.savedInConnection = life;
    // Saves of earlier revisions are no longer accepted: each is on this board, or on none.
    if (isOther) this.dropSaved();
  }

  private notify(): void {
    this.judge();
    this.tell();
  }

  private tell(): void {
    clearTimeout(this.pause);
    this.pause = undefined;
    for (const listener of [...this.listeners, ...this.typingListeners]) listener();
  }

  private judge(): void {
    if (this.saved) this.pending = judged(contentOf(this.saved), this.pending);
    this.show();
  }

  private show(): void {
    const board = this.saved && { ...this.saved, ...withEdits(contentOf(this.saved), this.pending) };
    const refused = [...new Set(this.pending.flatMap((one) => one.refused ?? []))];
    const unsaved = this.pending.filter((one) => !one.refused).length;
    this.shown = { board, error: this.error, unsaved, refused };
    if (this.error || refused.length > 0) this.keep();
    else if (this.pending.length === 0) this.port.kept.write(undefined);
  }
}

const UNSAVED: StudioError = {
  code: 'store_unavailable',
  message: t`The board could not be saved, so nothing was sent.`,
};

interface UnansweredSave {
  step: readonly PendingEdit[];
  before: BoardContent;
  sent: BoardContent;
}

/** Whether the field changed by a save is on the board as sent, whatever else has changed since. */
function isOnBoard(now: BoardContent, { before, sent }: UnansweredSave): boolean {
  const field = oneFieldOf(before, sent);
  return field !== undefined && fieldsOf(sent, fieldsOfThose(sent, now))?.has(field) === false;
}

/** The next edits to save together: those of one field, so that each save is one undoable step. Refused ones are excluded. */
function ofOneStep(saved: BoardContent, pending: readonly PendingEdit[]): PendingEdit[] {
  const edits = pending.filter(({ refused }) => !refused);
  let content = saved;
  let field: string | undefined;
  for (const [index, { edit }] of edits.entries()) {
    const next = edit(content);
    const own = oneFieldOf(content, next);
    if (index > 0 && (own === undefined || own !== field)) return edits.slice(0, index);
    if (own === undefined) return edits.slice(0, 1);
    field = own;
    content = next;
  }
  return edits;
}

/** Identifies edits by function, since they are checked again while a save is running. */
const isOf = (step: readonly PendingEdit[], { edit }: PendingEdit): boolean => step.some((one) => one.edit === edit);

/** The part that a refusal is about: a shot, or the board as a whole. */
const partOf = (board: Board, shotId: string | undefined): unknown =>
  shotId === undefined ? wideOf(contentOf(board)) : board.shots.find(({ id }) => id === shotId);

/** Whether pending edits change what takes of these shots are made from: prompts and pictures, the cast, and selected takes around them. */
const changesOrder =
  (shotIds: readonly string[]) =>
  (saved: BoardContent, shown: BoardContent): boolean =>
    !isSame(orderedFrom(saved, shotIds), orderedFrom(shown, shotIds));

const orderedFrom = ({ shots, cast }: BoardContent, shotIds: readonly string[]): unknown => [
  cast,
  shots.map((shot) =>
    shotIds.includes(shot.id)
      ? shot
      : [shot.id, shot.takes, shot.activeTake, shot.activeOutput, shot.meanwhile, shot.skipped],
  ),
];
