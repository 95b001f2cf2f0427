import { create } from 'zustand';
import type { Project } from '../../../shared/board.ts';
import type { AppInfo } from '../../../shared/contract.ts';
import type { QueueStatus } from '../../../shared/events.ts';
import type { Budget, MoneyTotals } from '../../../shared/ledger.ts';
import type { ProfileView } from '../../../shared/profile.ts';
import type { Settings } from '../../../shared/settings.ts';
import { call, type LinkState, type StudioError, type StudioEvent } from '../../client/index.ts';

/** What the whole window knows: the shell shows it, pages read it. The truth is in the studio; this is a cache patched by events. */
export interface StudioState {
  phase: 'loading' | 'ready' | 'failed';
  error?: StudioError;
  info?: AppInfo;
  settings?: Settings;
  profiles: ProfileView[];
  activeProfileId?: string;
  queue?: QueueStatus;
  projects: Project[];
  budgets: Budget[];
  /** The budgets have been read; before that an empty list says nothing. */
  moneyRead: boolean;
  /** Why they could not be read. */
  moneyError?: StudioError | undefined;
  /** Today's three figures, for the status line where no day budget is set. */
  today?: MoneyTotals;
  /** Whether the studio itself answers. */
  link: LinkState;
}

export const useStudio = create<StudioState>()(() => ({
  phase: 'loading',
  profiles: [],
  projects: [],
  budgets: [],
  moneyRead: false,
  link: 'up',
}));

const set = useStudio.setState;

/** Reads everything the shell needs; called at start and whenever the studio was lost and found again. */
export async function loadStudio(): Promise<void> {
  const [info, settings] = await Promise.all([call('app.info'), call('settings.get')]);
  if (!info.ok || !settings.ok) {
    const failed = info.ok ? settings : info;
    if (!failed.ok) set({ phase: 'failed', error: failed.error });
    return;
  }
  set({ phase: 'ready', error: undefined, info: info.data, settings: settings.data });
  await Promise.all([readProfiles(), readQueue(), readProjects(), readMoney()]);
}

async function readProfiles(): Promise<void> {
  const answer = await call('profiles.list');
  if (answer.ok) set({ profiles: answer.data.profiles, activeProfileId: answer.data.activeId });
}

async function readQueue(): Promise<void> {
  const answer = await call('queue.status');
  if (answer.ok) set({ queue: answer.data });
}

async function readProjects(): Promise<void> {
  const answer = await call('projects.list');
  if (answer.ok) set({ projects: answer.data.projects });
}

/** Budgets and today's figures. */
export async function readMoney(): Promise<void> {
  const from = new Date().setHours(0, 0, 0, 0);
  const [budgets, totals] = await Promise.all([call('budgets.list'), call('ledger.totals', { groupBy: 'day', from })]);
  if (budgets.ok) set({ budgets: budgets.data.budgets, moneyRead: true, moneyError: undefined });
  else set({ moneyError: budgets.error });
  if (totals.ok) set({ today: totals.data.sum });
}

async function readSettings(): Promise<void> {
  const answer = await call('settings.get');
  if (answer.ok) set({ settings: answer.data });
}

/** Money changes with every job; one reading a moment later covers a burst. */
const MONEY_DELAY_MS = 300;
let moneyTimer: ReturnType<typeof setTimeout> | undefined;

export function patchStudio(event: StudioEvent): void {
  if (event.type === 'queue.changed') set({ queue: event.status });
  if (event.type === 'profiles.changed') void readProfiles();
  if (event.type === 'projects.changed') void readProjects();
  if (event.type === 'settings.changed') void readSettings();
  if (event.type !== 'ledger.changed') return;
  clearTimeout(moneyTimer);
  moneyTimer = setTimeout(() => void readMoney(), MONEY_DELAY_MS);
}

/** The profile that new jobs go to. */
export const activeProfile = (state: StudioState): ProfileView | undefined =>
  state.profiles.find((profile) => profile.id === state.activeProfileId);

export const useActiveProfile = (): ProfileView | undefined => useStudio(activeProfile);

/** The project that new work belongs to; undefined is "all projects". */
export const useProjectId = (): string | undefined => useStudio((state) => state.settings?.projectId || undefined);

export const useProject = (): Project | undefined =>
  useStudio((state) => state.projects.find((project) => project.id === state.settings?.projectId));

/** Opens a project, or all of them. */
export async function openProject(projectId: string | undefined): Promise<void> {
  const answer = await call('settings.set', { projectId: projectId ?? '' });
  if (answer.ok) set({ settings: answer.data });
}
