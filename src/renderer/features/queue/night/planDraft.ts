import { create } from 'zustand';
import type { NightRun, NightStatus } from '../../../../shared/jobs/night.ts';
import { formOf, type PlanForm } from './planForm.ts';

/** A run that has just been scheduled or changed, and the draft it was scheduled from. */
interface Armed {
  place: string;
  run: NightRun;
  /** The first revision of the runs that includes it. */
  since: number;
}

/** Unsaved plans, by run, so that going elsewhere, to set a price or a key, loses nothing. */
const useDrafts = create<{ forms: Readonly<Record<string, PlanForm>>; armed?: Armed | undefined }>()(() => ({
  forms: {},
}));

const currentPlace = ({ current }: NightStatus): string => current?.id ?? 'next';

/** The scheduled run while the page still has the old list of runs: a second press would schedule another one. */
function unseen(armed: Armed | undefined, status: NightStatus): NightRun | undefined {
  const place = currentPlace(status);
  const isHere = armed?.place === place || armed?.run.id === place;
  return armed && isHere && status.revision < armed.since ? armed.run : undefined;
}

const placeOf = (status: NightStatus): string => unseen(useDrafts.getState().armed, status)?.id ?? currentPlace(status);

/** The plan as typed; initially the scheduled run, or like the last one. */
export function usePlanDraft(status: NightStatus): [form: PlanForm, change: (part: Partial<PlanForm>) => void] {
  const run = unseen(
    useDrafts(({ armed }) => armed),
    status,
  );
  const place = run?.id ?? currentPlace(status);
  const form = useDrafts(({ forms }) => forms[place]) ?? formOf(run ?? status.current ?? status.last);
  const change = (part: Partial<PlanForm>) =>
    useDrafts.setState(({ forms }) => ({ forms: { ...forms, [place]: { ...(forms[place] ?? form), ...part } } }));
  return [form, change];
}

/** The typed plan, if there is one. */
export const draftOf = (status: NightStatus): PlanForm | undefined => useDrafts.getState().forms[placeOf(status)];

/** Drops the typed plan. */
export function forgetPlanDraft(status: NightStatus): void {
  const { [placeOf(status)]: _gone, ...forms } = useDrafts.getState().forms;
  useDrafts.setState({ forms, armed: undefined });
}

/**
 * After scheduling: the plan as it was at the press is shown until the page has read the run; edits made since then stay as a draft of that
 * run. `revision` is read after the answer: the first revision of the runs that includes it.
 */
export function settlePlanDraft(
  status: NightStatus,
  pressed: PlanForm | undefined,
  run: NightRun,
  revision: Promise<number | undefined>,
): void {
  const typed = draftOf(status);
  forgetPlanDraft(status);
  const armed = { place: currentPlace(status), run, since: Number.POSITIVE_INFINITY };
  useDrafts.setState({ armed });
  void revision.then((since = status.revision + 1) => {
    if (useDrafts.getState().armed === armed) useDrafts.setState({ armed: { ...armed, since } });
  });
  if (typed === undefined || typed === pressed) return;
  useDrafts.setState(({ forms }) => ({ forms: { [run.id]: typed, ...forms } }));
}
