import { create } from 'zustand';
import type { NightRun, NightStatus } from '../../../../shared/jobs/night.ts';
import { formOf, type PlanForm } from './planForm.ts';

/** A night that has just been armed, or changed, where it stood when that was pressed. */
interface Armed {
  place: string;
  run: NightRun;
  /** The first revision of the nights that is known to have it. */
  since: number;
}

/** What is typed into a plan and not armed yet, by night: a way that leads elsewhere, to a price or a key, loses nothing of it. */
const useDrafts = create<{ forms: Readonly<Record<string, PlanForm>>; armed?: Armed | undefined }>()(() => ({
  forms: {},
}));

const currentPlace = ({ current }: NightStatus): string => current?.id ?? 'next';

/** The night that was armed, while the page still has the nights from before: a second press would arm another plan. */
function unseen(armed: Armed | undefined, status: NightStatus): NightRun | undefined {
  const place = currentPlace(status);
  const isHere = armed?.place === place || armed?.run.id === place;
  return armed && isHere && status.revision < armed.since ? armed.run : undefined;
}

const placeOf = (status: NightStatus): string => unseen(useDrafts.getState().armed, status)?.id ?? currentPlace(status);

/** The plan as it is typed: at first the night that is planned, or like the last one. */
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

/** What is typed now, if anything is. */
export const draftOf = (status: NightStatus): PlanForm | undefined => useDrafts.getState().forms[placeOf(status)];

/** It will not be armed. */
export function forgetPlanDraft(status: NightStatus): void {
  const { [placeOf(status)]: _gone, ...forms } = useDrafts.getState().forms;
  useDrafts.setState({ forms, armed: undefined });
}

/**
 * What was typed when it was pressed is armed, and is shown until the page has read that; what was typed since then stays, for the night
 * that has come of it. `revision` is read after the answer: the first of the nights that has it.
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
