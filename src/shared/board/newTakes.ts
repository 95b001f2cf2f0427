export interface NewTakes {
  /** The shot's place in the film, from 0. */
  at: number;
  ids: string[];
}

/** New jobs in the order of the film: takes by shot, then all others in their own order. `shots`: the take ids of each shot. */
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
