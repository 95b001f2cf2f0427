import { create } from 'zustand';
import type { NightStatus } from '../../../../shared/night.ts';
import { formOf, type PlanForm } from './planForm.ts';

/** What is typed into a plan and not armed yet, by night: a way that leads elsewhere, to a price or a key, loses nothing of it. */
const useDrafts = create<{ forms: Readonly<Record<string, PlanForm>> }>()(() => ({ forms: {} }));

const placeOf = ({ current }: NightStatus): string => current?.id ?? 'next';

/** The plan as it is typed: at first the night that is planned, or like the last one. */
export function usePlanDraft(status: NightStatus): [form: PlanForm, change: (part: Partial<PlanForm>) => void] {
  const place = placeOf(status);
  const form = useDrafts(({ forms }) => forms[place]) ?? formOf(status.current ?? status.last);
  const change = (part: Partial<PlanForm>) =>
    useDrafts.setState(({ forms }) => ({ forms: { ...forms, [place]: { ...(forms[place] ?? form), ...part } } }));
  return [form, change];
}

/** What is typed now, if anything is. */
export const draftOf = (status: NightStatus): PlanForm | undefined => useDrafts.getState().forms[placeOf(status)];

/** It will not be armed. */
export function forgetPlanDraft(status: NightStatus): void {
  const { [placeOf(status)]: _gone, ...forms } = useDrafts.getState().forms;
  useDrafts.setState({ forms });
}

/** What was typed when it was pressed is armed; what was typed since then stays, for the night that has come of it. */
export function settlePlanDraft(status: NightStatus, pressed: PlanForm | undefined, nightId: string): void {
  const typed = draftOf(status);
  forgetPlanDraft(status);
  if (typed === undefined || typed === pressed) return;
  useDrafts.setState(({ forms }) => ({ forms: { [nightId]: typed, ...forms } }));
}
