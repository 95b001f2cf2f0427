/**
 * A cache never goes back (ARCHITECTURE "The way of one video request", 9): answers and events come by different ways, so that an older
 * one may arrive after a newer one. What carries a `revision` is compared by it; of what does not, the answer that was asked for last
 * counts.
 */

interface Revised {
  revision: number;
  /** What is long was cut, in lists and events. */
  requestCut?: boolean;
  resultCut?: boolean;
}

const isCut = ({ requestCut, resultCut }: Revised): boolean => requestCut === true || resultCut === true;

/** Of the same revision the whole one is kept, not the one that was cut for a list. */
function isNewer(next: Revised, known: Revised): boolean {
  return next.revision === known.revision ? !isCut(next) || isCut(known) : next.revision > known.revision;
}

/** The newer one of what is known and what has come. */
export const newerOf = <T extends Revised>(known: T | undefined, next: T): T =>
  known === undefined || isNewer(next, known) ? next : known;

/** Orders the requests for one thing: an answer counts unless that of a later request has come already. */
export class LatestRequest {
  private asked = 0;
  private answered = 0;

  /** Called before a request is sent. The returned function says, once, when its answer is there, whether it counts. */
  begin(): () => boolean {
    const own = ++this.asked;
    return () => {
      if (own < this.answered) return false;
      this.answered = own;
      return true;
    };
  }
}
