import type { UpdateState } from '../../../shared/contract/programCalls.ts';
import { t } from '../../../shared/text/texts.ts';
import { isMac, saveSettings, useAction, useCall, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, formatStamp, Reading, Toggle } from '../../ui/index.ts';
import { Group, SettingsSection } from './form.tsx';

/** How Dailies lives on this computer. */
export function Computer() {
  const updates = useCall('updates.get', {}, { on: ['updates.changed', 'settings.changed'] });
  return (
    <SettingsSection label={t`This computer`}>
      <Reading of={updates}>{(update) => <UpdatesGroup update={update} />}</Reading>
      <LoginGroup />
      <SpellingGroup />
    </SettingsSection>
  );
}

/** The system keeps it, and shows it among its own settings. */
function LoginGroup() {
  const { data, reload } = useCall('login.get', {});
  const { refusal, run } = useAction();
  if (!data) return null;
  const set = async (open: boolean) => {
    await run(call('login.set', { open }));
    reload();
  };
  return (
    <Group
      title={t`At login`}
      text={t`Dailies starts in the tray, so an overnight run continues after a restart.`}
      refusal={refusal}
    >
      {data.state === 'none' ? (
        <p className="t2">{t`This copy cannot be opened by the system: install it, or run its desktop window.`}</p>
      ) : (
        <Toggle checked={data.state === 'on'} onChecked={(open) => void set(open)}>
          {t`Open Dailies when I log in`}
        </Toggle>
      )}
    </Group>
  );
}

/** Of the desktop window: a browser has its own. */
function SpellingGroup() {
  const host = useStudio((state) => state.info?.host);
  const spelling = useStudio((state) => state.settings?.spelling);
  const { refusal, run } = useAction();
  if (host !== 'electron') return null;
  const isOn = spelling ?? isMac();
  const text = isMac()
    ? t`By the system, on this machine.`
    : t`On this machine. The dictionary of your language is fetched once, from a server of Google’s that Chromium uses; what you write is not sent.`;
  return (
    <Group title={t`Spelling`} text={text} refusal={refusal}>
      <Toggle checked={isOn} onChecked={(next) => void run(saveSettings({ spelling: next }))}>
        {t`Check words as they are written`}
      </Toggle>
      <p className="t3">{t`From the next time that the window is opened.`}</p>
    </Group>
  );
}

const TEXT = t`Checked at most once a day, never during a send or an overnight run. Only the version and system are sent. A backup is made first.`;

function UpdatesGroup({ update }: { update: UpdateState }) {
  const isOn = useStudio((state) => state.settings?.updates ?? true);
  const { refusal, run } = useAction();
  const hasServer = update.state !== 'none';
  return (
    <Group title={t`Updates`} text={TEXT} refusal={refusal ?? (hasServer ? update.why : undefined)}>
      {hasServer && (
        <Toggle checked={isOn} onChecked={(updates) => void run(saveSettings({ updates }))}>
          {t`Look for updates once a day`}
        </Toggle>
      )}
      <p role="status" className="t2">
        {wordsOf(update)}
      </p>
      <div>
        <Step update={update} run={(step) => void run(call(step, {}))} />
      </div>
    </Group>
  );
}

/** The one step that can be done now. */
function Step({ update: { state, version }, run }: { update: UpdateState; run: (step: StepCall) => void }) {
  if (state === 'none' || state === 'off') return null;
  const [step, label] = STEPS[state];
  return (
    <Button busy={state === 'downloading' || state === 'checking'} onClick={() => run(step)}>
      {label(version)}
    </Button>
  );
}

type StepCall = 'updates.check' | 'updates.download' | 'updates.install';
const LOOK = ['updates.check', () => t`Look now`] as const;
const DOWNLOAD = ['updates.download', (version: string | undefined) => t`Download ${version}`] as const;
const STEPS = {
  current: LOOK,
  checking: LOOK,
  found: DOWNLOAD,
  downloading: DOWNLOAD,
  ready: ['updates.install', () => t`Back up, quit and install`],
} as const;

function wordsOf({ state, version, checkedAt, why, installsAtAnyEnd }: UpdateState): string {
  const last = checkedAt === undefined ? t`It was not asked yet.` : t`It was asked last ${formatStamp(checkedAt)}.`;
  const here = t`Version ${version} is here and a backup was made.`;
  const atAnyEnd = t`${here} The system installs it when Dailies quits.`;
  const words: Record<UpdateState['state'], string> = {
    none: why ?? t`There are no updates for this copy.`,
    off: t`Switched off: the server is never asked. ${installsAtAnyEnd ? atAnyEnd : checkedAt === undefined ? '' : last}`,
    current: t`Nothing newer is known. ${last}`,
    checking: t`The server is being asked.`,
    found: t`Version ${version} is there. Nothing is downloaded until you say so.`,
    downloading: t`Version ${version} is being downloaded; then a backup is made.`,
    ready: installsAtAnyEnd
      ? atAnyEnd
      : t`${here} It is installed when you quit, unless jobs wait or a run starts within two hours.`,
  };
  return words[state].trim();
}
