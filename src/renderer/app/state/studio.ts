import { create } from 'zustand';
import type { Project } from '../../../shared/board/board.ts';
import type { AppInfo } from '../../../shared/contract/contract.ts';
import type { QueueStatus } from '../../../shared/contract/events.ts';
import type { Settings } from '../../../shared/contract/settings.ts';
import {
  type AtGateway,
  isPlayMoney,
  type ProfileView,
  type UnreadableProfile,
} from '../../../shared/gateway/profile.ts';
import type { Budget, BudgetInput, MoneyTotals } from '../../../shared/money/ledger.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  type CallInput,
  call,
  type LinkState,
  type Result,
  type StudioError,
  type StudioEvent,
} from '../../client/index.ts';
import { toast } from '../../ui/index.ts';
import { showRefusal } from '../refusals.ts';
import { LatestRequest, newerOf } from './newest.ts';

/** The state of the whole window, read by shell and pages. The studio has the truth; this is a cache patched by events. */
export interface StudioState {
  phase: 'loading' | 'ready' | 'failed';
  error?: StudioError;
  info?: AppInfo;
  settings?: Settings;
  profiles: ProfileView[];
  activeProfileId?: string;
  /** The last known state of each gateway, shown while it cannot be asked. */
  atGateway: Readonly<Record<string, AtGateway>>;
  /** Entries of the settings file that cannot be used as they are. */
  unreadable: UnreadableProfile[];
  /** How a damaged settings file was repaired at the last start. */
  repairNotice?: string | undefined;
  queue?: QueueStatus;
  projects: Project[];
  /** Removed projects that can be restored, last removed first. */
  removedProjects: Project[];
  budgets: Budget[];
  /** Whether budgets have been read; before that an empty list means nothing. */
  moneyRead: boolean;
  /** Why the budgets could not be read. */
  moneyError?: StudioError | undefined;
  /** Today's figures, for the status line without a daily budget. */
  today?: MoneyTotals;
  /** Whether the studio itself answers. */
  link: LinkState;
  /** The number of connections to the studio: each may bring an older database, restored from a backup. */
  connection: number;
}

export const useStudio = create<StudioState>()(() => ({
  phase: 'loading',
  profiles: [],
  unreadable: [],
  atGateway: {},
  projects: [],
  removedProjects: [],
  budgets: [],
  moneyRead: false,
  link: 'up',
  connection: 0,
}));

const set = useStudio.setState;

/** Queries that repeat and are also answered by commands: the answer requested last counts. */
const requests = {
  info: new LatestRequest(),
  settings: new LatestRequest(),
  profiles: new LatestRequest(),
  projects: new LatestRequest(),
  budgets: new LatestRequest(),
  today: new LatestRequest(),
};

/** Sends a request; its answer is used unless that of a later request has already arrived. */
async function ask<T>(
  about: keyof typeof requests,
  question: Promise<Result<T>>,
  take: (answer: Result<T>) => void,
): Promise<Result<T>> {
  const counts = requests[about].begin();
  const answer = await question;
  if (counts()) take(answer);
  return answer;
}

/** Uses a queue status unless a newer one is known. */
export const takeQueue = (status: QueueStatus): void => set(({ queue }) => ({ queue: newerOf(queue, status) }));

/** Reads everything the shell needs: at the start, and whenever the connection is back. */
export async function loadStudio(): Promise<void> {
  const { queue } = useStudio.getState();
  // The database may be another one; what is read now is the newest.
  if (queue) set({ queue: { ...queue, revision: 0 } });
  const [info, settings] = await Promise.all([
    ask('info', call('app.info'), (answer) => answer.ok && set({ info: answer.data })),
    readSettings(),
  ]);
  const failed = info.ok ? settings : info;
  if (!failed.ok) {
    const { phase } = useStudio.getState();
    if (phase !== 'ready') return set({ phase: 'failed', error: failed.error });
    // Open pages hold unsaved input, so they stay. If the connection is lost again, the next one reads.
    if (failed.error.code !== 'unreachable')
      toast({ kind: 'fail', text: t`${failed.error.message} What you see may be old.` });
  }
  set({ phase: 'ready', error: undefined });
  await Promise.all([readProfiles(), readQueue(), readProjects(), readMoney()]);
}

const readProfiles = () =>
  ask('profiles', call('profiles.list'), (answer) => {
    if (!answer.ok) return;
    const { profiles, activeId, unreadable, repairNotice, atGateway = {} } = answer.data;
    set({ profiles, activeProfileId: activeId, unreadable, repairNotice, atGateway });
  });

/** Uses a saved profile before the list is read again. */
export const takeProfile = (profile: ProfileView): void =>
  set(({ profiles }) => {
    const isKnown = profiles.some(({ id }) => id === profile.id);
    return {
      profiles: isKnown ? profiles.map((one) => (one.id === profile.id ? profile : one)) : [...profiles, profile],
    };
  });

async function readQueue(): Promise<void> {
  const answer = await call('queue.status');
  if (answer.ok) takeQueue(answer.data);
}

const readProjects = () =>
  ask('projects', call('projects.list'), (answer) => {
    if (answer.ok) set({ projects: answer.data.projects, removedProjects: answer.data.removed });
  });

const takeBudgets = (answer: Result<{ budgets: Budget[] }>): void => {
  if (answer.ok) set({ budgets: answer.data.budgets, moneyRead: true, moneyError: undefined });
};

/** Budgets and today's figures. */
export async function readMoney(): Promise<void> {
  // Excludes reservations for an overnight run that begins tomorrow.
  const today = { from: new Date().setHours(0, 0, 0, 0), to: new Date().setHours(24, 0, 0, 0) };
  await Promise.all([
    ask('budgets', call('budgets.list'), (answer) => {
      if (answer.ok) takeBudgets(answer);
      else set({ moneyError: answer.error });
    }),
    ask('today', call('ledger.totals', { groupBy: 'day', ...today }), (answer) => {
      if (answer.ok) set({ today: answer.data.sum });
    }),
  ]);
}

/** Sets, changes or removes a budget. */
export const saveBudget = (input: BudgetInput): Promise<Result<{ budgets: Budget[] }>> =>
  ask('budgets', call('budgets.set', input), takeBudgets);

const takeSettings = (answer: Result<Settings>): void => {
  if (answer.ok) set({ settings: answer.data });
};

const readSettings = () => ask('settings', call('settings.get'), takeSettings);

/** Changes settings; an error changes nothing. */
export const saveSettings = (patch: CallInput<'settings.set'>): Promise<Result<Settings>> =>
  ask('settings', call('settings.set', patch), takeSettings);

export function patchStudio(event: StudioEvent): void {
  if (event.type === 'queue.changed') takeQueue(event.status);
  if (event.type === 'profiles.changed') void readProfiles();
  if (event.type === 'projects.changed') void readProjects();
  if (event.type === 'settings.changed') void readSettings();
  if (event.type === 'awake.changed') set(({ info }) => (info ? { info: { ...info, awake: event.awake } } : {}));
}

/** The active profile, which new jobs use. */
export const activeProfile = (state: StudioState): ProfileView | undefined =>
  state.profiles.find((profile) => profile.id === state.activeProfileId);

export const useActiveProfile = (): ProfileView | undefined => useStudio(activeProfile);

/** Whether a profile's money is test money; by default the active profile's. */
export const useIsPlay = (profileId?: string): boolean =>
  useStudio(({ activeProfileId }) => isPlayMoney(profileId ?? activeProfileId ?? ''));

/** Whether a gateway cannot be asked, since its key is missing or unreadable. */
export const lacksKey = ({ builtin, key }: ProfileView): boolean => !builtin && (key === null || key === 'unreadable');

/** {@link lacksKey} of a profile, by default the active one. */
export const useLacksKey = (profileId?: string): boolean =>
  useStudio(({ profiles, activeProfileId }) =>
    profiles.some((profile) => profile.id === (profileId ?? activeProfileId) && lacksKey(profile)),
  );

/** The project of new work; undefined is "all projects". */
export const useProjectId = (): string | undefined => useStudio((state) => state.settings?.projectId || undefined);

export const useProject = (): Project | undefined =>
  useStudio((state) => state.projects.find((project) => project.id === state.settings?.projectId));

/** Opens a fresh copy of the sample film, beside its guide. */
export async function openSample(): Promise<Result<Project>> {
  const opened = await call('projects.openSample');
  if (!opened.ok) return opened;
  const projectId = opened.data.id;
  const guide = { projectId, isOpen: true, seen: [] };
  const shown = await saveSettings({ projectId, guide });
  return shown.ok ? opened : shown;
}

/** Opens a project, or all. Returns whether that worked; shows the error if not. */
export async function openProject(projectId: string | undefined): Promise<boolean> {
  const answer = await saveSettings({ projectId: projectId ?? '' });
  if (!answer.ok) showRefusal(answer.error);
  return answer.ok;
}
