/**
 * A cache never goes back in time (ARCHITECTURE "The way of one video request", 9): answers and events arrive by different ways, so an
 * older one may come last. Objects with a `revision` are compared by it; for others the latest request's answer counts.
 */

interface Revised {
  revision: number;
  /** Whether a long request was cut, as in lists and events. */
  requestCut?: boolean;
  resultCut?: boolean;
}

const isCut = ({ requestCut, resultCut }: Revised): boolean => requestCut === true || resultCut === true;

/** Of equal revisions the uncut one wins. */
function isNewer(next: Revised, known: Revised): boolean {
  return next.revision === known.revision ? !isCut(next) || isCut(known) : next.revision > known.revision;
}

/** The newer of two copies. */
export const newerOf = <T extends Revised>(known: T | undefined, next: T): T =>
  known === undefined || isNewer(next, known) ? next : known;

/** Orders the requests for one object: an answer counts unless that of a later request has already arrived. */
export class LatestRequest {
  private asked = 0;
  private answered = 0;

  /** Called before a request is sent. Call the returned function once, when the answer is there: it returns whether the answer counts. */
  begin(): () => boolean {
    const own = ++this.asked;
    return () => {
      if (own < this.answered) return false;
      this.answered = own;
      return true;
    };
  }
}
