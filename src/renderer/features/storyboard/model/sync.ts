import { type Board, type BoardContent, type BoardStep, contentOf, requestOfShot } from '../../../../shared/board.ts';
import { oneFieldOf } from '../../../../shared/boardChanges.ts';
import { toSend } from '../../../../shared/casting.ts';
import type { CallInput } from '../../../../shared/contract.ts';
import type { Job } from '../../../../shared/job.ts';
import type { ShownPrice } from '../../../../shared/ledger.ts';
import type { Result, StudioError } from '../../../../shared/result.ts';
import type { BoardEdit } from './shots.ts';

/** The studio's side of a board. */
export interface BoardPort {
  get(): Promise<Result<Board>>;
  save(board: Board): Promise<Result<Board>>;
  /** `content`: what the take is made of, which the shot's id only names. */
  makeTake(shotId: string, order: ShotOrder, content: string): Promise<Result<{ job: Job; board: Board }>>;
  step(way: UndoDirection): Promise<Result<BoardStep>>;
  /** How often the studio was lost and found: it may come back with an older board, put back from a backup. */
  connection(): number;
  /** Saves a moment later, so that typing is one save; the returned function takes it back. */
  later(run: () => void): () => void;
  /** A take once more; what was sent of it, not the shot, is what is ordered. */
  promoteTake(promotion: Promoted, order: TakeOrder): Promise<Result<{ job: Job; board: Board }>>;
  /** `content`: the board that the takes are made of. */
  makeTakes(shotIds: string[], order: TakeOrder, content: string): Promise<Result<{ jobs: Job[]; board: Board }>>;
}

/** How takes are ordered: at the price that was shown, in the planned night or now. */
export interface TakeOrder {
  shown: ShownPrice | undefined;
  night?: boolean;
}

/** A take of one shot, with the change of the board that it is ordered with. */
export type ShotOrder = TakeOrder & Pick<CallInput<'storyboard.makeTake'>, 'start' | 'added'>;

/** The take that is promoted, and what is better about it. */
export type Promoted = Pick<CallInput<'storyboard.promoteTake'>, 'shotId' | 'jobId' | 'resolution' | 'model'>;

/** A change of a board, as a pure function: applied at once, and again on a newer board where one was saved meanwhile. */
export type ContentEdit = (content: BoardContent) => BoardContent;

/** One step back, or forwards again. */
export type UndoDirection = 'undo' | 'redo';

export interface BoardState {
  /** As shown: the saved board with what is not saved yet on top. */
  board: Board | undefined;
  error: StudioError | undefined;
  /** Edits that are not written yet. */
  unsaved: number;
}

const MOST_CONFLICTS = 5;

/**
 * One board between this page and the studio. Edits show at once and are saved together; where somebody else saved first, the newer
 * board is read and the edits are made again on top of it, so that neither side is lost.
 */
export class BoardSync {
  private readonly port: BoardPort;
  private readonly listeners = new Set<() => void>();
  private saved: Board | undefined;
  private pending: ContentEdit[] = [];
  private savedInConnection = 0;
  private error: StudioError | undefined;
  private running: Promise<boolean> | undefined;
  private cancelTimer: (() => void) | undefined;
  private shown: BoardState = { board: undefined, error: undefined, unsaved: 0 };

  constructor(port: BoardPort) {
    this.port = port;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly state = (): BoardState => this.shown;

  async load(): Promise<void> {
    const answer = await this.port.get();
    if (answer.ok) this.accept(answer.data);
    this.error = answer.ok ? undefined : answer.error;
    this.notify();
  }

  /** Changes the shots: shown at once, written soon. */
  edit(edit: BoardEdit): void {
    this.editContent((content) => ({ ...content, shots: edit(content.shots) }));
  }

  /** The same for what belongs to the whole board too: one edit of both is one step that can be undone. */
  editContent(edit: ContentEdit): void {
    this.pending.push(edit);
    this.notify();
    this.cancelTimer?.();
    this.cancelTimer = this.port.later(() => void this.flush());
  }

  /** Writes what is not written yet; false where it could not be. Edits stay, and are tried again by the next call. */
  flush(): Promise<boolean> {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    this.running ??= this.write().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Writes what is not written yet; why it could not be, where it could not. */
  async whyUnsaved(): Promise<StudioError | undefined> {
    return (await this.flush()) ? undefined : (this.error ?? UNSAVED);
  }

  /** Another window or the studio itself has written the board. */
  async changedTo(revision: number): Promise<void> {
    await this.running;
    // What is being read for the first time may be older than what was announced meanwhile.
    if (!this.saved || revision > this.saved.revision) await this.load();
  }

  /** Enqueues a take of the shot as it is shown, or as the order changes it: what is not written yet is written first. */
  async makeTake(shotId: string, order: ShotOrder): Promise<Result<Job>> {
    const error = await this.whyUnsaved();
    if (error) return { ok: false, error };
    const shot = this.saved?.shots.find(({ id }) => id === shotId);
    const content = shot ? JSON.stringify(requestOfShot(toSend(shot, this.saved?.cast))) : '';
    const answer = await this.port.makeTake(shotId, order, content);
    if (!answer.ok) return answer;
    this.accept(answer.data.board);
    this.notify();
    return { ok: true, data: answer.data.job };
  }

  /** Enqueues a take once more in a better form. */
  async promoteTake(promotion: Promoted, order: TakeOrder): Promise<Result<Job>> {
    const answer = await this.port.promoteTake(promotion, order);
    if (!answer.ok) return answer;
    this.accept(answer.data.board);
    this.notify();
    return { ok: true, data: answer.data.job };
  }

  /** One step back or forwards on the board as it is shown: what is not written yet is written first. */
  async step(way: UndoDirection): Promise<Result<BoardStep>> {
    const error = await this.whyUnsaved();
    if (error) return { ok: false, error };
    const answer = await this.port.step(way);
    if (!answer.ok) return answer;
    this.accept(answer.data.board);
    this.notify();
    return answer;
  }

  /** Enqueues a take of each shot as it is shown, each from the one before: what is not written yet is written first. */
  async makeTakes(shotIds: string[], order: TakeOrder): Promise<Result<Job[]>> {
    const error = await this.whyUnsaved();
    if (error) return { ok: false, error };
    const content = JSON.stringify(this.saved && contentOf(this.saved));
    const answer = await this.port.makeTakes(shotIds, order, content);
    if (!answer.ok) return answer;
    this.accept(answer.data.board);
    this.notify();
    return { ok: true, data: answer.data.jobs };
  }

  private async write(): Promise<boolean> {
    for (let conflicts = 0; this.pending.length > 0; ) {
      if (!this.saved) return false;
      const count = ofOneStep(this.saved, this.pending);
      const answer = await this.port.save(apply(this.saved, this.pending.slice(0, count)));
      if (answer.ok) {
        this.pending = this.pending.slice(count);
        this.error = undefined;
        this.accept(answer.data);
        this.notify();
      } else if (answer.error.code === 'conflict' && ++conflicts <= MOST_CONFLICTS) {
        await this.load();
        if (this.error) return false;
      } else {
        this.error = answer.error;
        this.notify();
        return false;
      }
    }
    return true;
  }

  private accept(board: Board): void {
    const life = this.port.connection();
    if (this.saved && board.revision < this.saved.revision && life === this.savedInConnection) return;
    this.saved = board;
    this.savedInConnection = life;
  }

  private notify(): void {
    const board = this.saved && apply(this.saved, this.pending);
    this.shown = { board, error: this.error, unsaved: this.pending.length };
    for (const listener of this.listeners) listener();
  }
}

const UNSAVED: StudioError = {
  code: 'store_unavailable',
  message: 'The board could not be saved, so nothing was sent.',
};

/** How many of the edits are saved together: those of one field, so that each save is a step that can be undone. */
function ofOneStep(board: Board, edits: readonly ContentEdit[]): number {
  let content = contentOf(board);
  let field: string | undefined;
  for (const [index, edit] of edits.entries()) {
    const next = edit(content);
    const own = oneFieldOf(content, next);
    if (index > 0 && (own === undefined || own !== field)) return index;
    if (own === undefined) return 1;
    field = own;
    content = next;
  }
  return edits.length;
}

const apply = (board: Board, edits: readonly ContentEdit[]): Board => ({
  ...board,
  ...edits.reduce((content, edit) => edit(content), contentOf(board)),
});
