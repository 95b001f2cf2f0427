import { t } from '../../../../shared/texts.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import type { Finding } from '../../../../shared/triage/findings.ts';

/** The takes in the order in which they are looked through, and how many there are of each kind. */

export const keyOfTake = ({ jobId, output }: Pick<TriageTake, 'jobId' | 'output'>): string => `${jobId}/${output}`;

/** No two of a kind begin at one moment. */
export const keyOfFinding = ({ kind, at }: Finding): string => `${kind} ${at}`;

export interface TakeGroups {
  broken: TriageTake[];
  look: TriageTake[];
  clean: TriageTake[];
  /** Being measured. */
  waiting: TriageTake[];
  /** Not on this disk. */
  absent: TriageTake[];
}

export const GROUPS = ['broken', 'look', 'waiting', 'absent', 'clean'] as const satisfies (keyof TakeGroups)[];

export function groupsOf(takes: readonly TriageTake[]): TakeGroups {
  const of = (state: TriageTake['state']) => takes.filter((take) => take.state === state);
  return { broken: of('broken'), look: of('look'), clean: of('clean'), waiting: of('waiting'), absent: of('absent') };
}

/** As they stand on the page. */
export const inOrder = (groups: TakeGroups): TriageTake[] => GROUPS.flatMap((group) => groups[group]);

/** `9 clean, 3 to look at, 1 broken`. */
export function countsText({ clean, look, broken, waiting, absent }: TakeGroups): string {
  const counts = [
    [clean.length, 'clean'],
    [look.length, t`to look at`],
    [broken.length, 'broken'],
    [waiting.length, t`being measured`],
    [absent.length, t`not on this disk`],
  ] as const;
  const said = counts.filter(([count], index) => count > 0 || index === 0);
  return said.map(([count, word]) => `${count} ${word}`).join(', ');
}

export interface Place {
  key: string;
  /** Of the finding, counting from 0. */
  finding: number;
}

/** The next finding: of the same take, then of the next one that has any; round to the first. */
export function nextPlace(takes: readonly TriageTake[], { key, finding }: Place): Place | undefined {
  const at = takes.findIndex((take) => keyOfTake(take) === key);
  const here = takes[at];
  if (here && finding + 1 < here.findings.length) return { key, finding: finding + 1 };
  const ahead = [...takes.slice(at + 1), ...takes.slice(0, at + 1)];
  const next = ahead.find(({ findings }) => findings.length > 0);
  return next && { key: keyOfTake(next), finding: 0 };
}

/** How long measuring took in all, in milliseconds. */
export const tookMs = (takes: readonly TriageTake[]): number =>
  takes.reduce((sum, take) => sum + (take.tookMs ?? 0), 0);
