/** The new takes of one shot. */
export interface NewTakes {
  /** The shot's place in the film, from 0. */
  at: number;
  ids: string[];
}

/**
 * New jobs in the order of the film: those that are takes of a shot, by shot and in the order of its takes, then the others in their own
 * order. `shots` are the ids of each shot's takes; each job is named once.
 */
export function newByShot(
  ids: readonly string[],
  shots: readonly (readonly string[])[],
): { ofShots: NewTakes[]; others: string[] } {
  const left = new Set(ids);
  const ofShots = shots.flatMap((takes, at): NewTakes[] => {
    const own = takes.filter((id) => left.delete(id));
    return own.length === 0 ? [] : [{ at, ids: own }];
  });
  return { ofShots, others: [...left] };
}
