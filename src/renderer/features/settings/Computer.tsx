import type { UpdateState } from '../../../shared/contract/appCalls.ts';
import { t } from '../../../shared/text/texts.ts';
import { isMac, saveSettings, useAction, useCall, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, formatStamp, Reading, rich, Toggle } from '../../ui/index.ts';
import { Group, SettingsSection } from './form.tsx';

/** How Dailies runs on this computer. */
export function Computer() {
  const updates = useCall('updates.get', {}, { on: ['updates.changed', 'settings.changed'] });
  return (
    <SettingsSection label={t`This computer`}>
      <Reading of={updates}>{(update) => <UpdatesGroup update={update} />}</Reading>
      <LoginGroup />
      <SpellingGroup />
      <ProgramsGroup />
    </SettingsSection>
  );
}

/** The operating system stores this setting and shows it among its own. */
function LoginGroup() {
  const { data, reload } = useCall('login.get', {});
  const { refusal, run } = useAction();
  if (!data || data.state === 'none') return null;
  const set = async (open: boolean) => {
    await run(call('login.set', { open }));
    reload();
  };
  return (
    <Group title={t`At login`} text={t`An overnight run then continues after a restart.`} refusal={refusal}>
      <Toggle checked={data.state === 'on'} onChecked={(open) => void set(open)}>
        {t`Open Dailies when I log in`}
      </Toggle>
    </Group>
  );
}

/** Only for the desktop window: a browser has its own spell checker. */
function SpellingGroup() {
  const host = useStudio((state) => state.info?.host);
  const spelling = useStudio((state) => state.settings?.spelling);
  const { refusal, run } = useAction();
  if (host !== 'electron') return null;
  const isOn = spelling ?? isMac();
  return (
    <Group
      title={t`Spelling`}
      text={isMac() ? undefined : t`The dictionary comes from a Google server. Your text is not sent.`}
      refusal={refusal}
    >
      <Toggle checked={isOn} onChecked={(next) => void run(saveSettings({ spelling: next }))}>
        {t`Check spelling`}
      </Toggle>
      <p className="t3">{t`Applies after a restart.`}</p>
    </Group>
  );
}

/** Whether programs of this user may call the studio of this window. The browser host always answers them. */
function ProgramsGroup() {
  const isOn = useStudio((state) => state.settings?.commandLine ?? false);
  const info = useStudio((state) => state.info);
  const { refusal, run } = useAction();
  return (
    <Group
      title={t`Other programs`}
      text={t`Programs can read boards and ask for jobs. You approve each price.`}
      refusal={refusal}
    >
      {info?.host === 'electron' && (
        <Toggle checked={isOn} onChecked={(commandLine) => void run(saveSettings({ commandLine }))}>
          {t`Allow access to this window`}
        </Toggle>
      )}
      {info?.launcher !== undefined && (
        <p className="t2">{rich`Type ${<span className="mono">{info.launcher}</span>} in a terminal.`}</p>
      )}
    </Group>
  );
}

const TEXT = t`Only the version and system are sent. A backup is made first.`;

function UpdatesGroup({ update }: { update: UpdateState }) {
  const isOn = useStudio((state) => state.settings?.updates ?? true);
  const { refusal, run } = useAction();
  const hasServer = update.state !== 'none';
  return (
    <Group
      title={t`Updates`}
      text={hasServer ? TEXT : undefined}
      refusal={refusal ?? (hasServer ? update.why : undefined)}
    >
      {hasServer && (
        <Toggle checked={isOn} onChecked={(updates) => void run(saveSettings({ updates }))}>
          {t`Check once a day`}
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

/** The one step that is possible now. */
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
const LOOK = ['updates.check', () => t`Check now`] as const;
const DOWNLOAD = ['updates.download', (version: string | undefined) => t`Download ${version}`] as const;
const STEPS = {
  current: LOOK,
  checking: LOOK,
  found: DOWNLOAD,
  downloading: DOWNLOAD,
  ready: ['updates.install', () => t`Back up, quit and install`],
} as const;

function wordsOf({ state, version, checkedAt, why, installsAtAnyEnd }: UpdateState): string {
  const last = checkedAt === undefined ? '' : t`Last checked ${formatStamp(checkedAt)}.`;
  const atAnyEnd = t`Version ${version} is installed when Dailies quits.`;
  const words: Record<UpdateState['state'], string> = {
    none: why ?? '',
    off: installsAtAnyEnd ? atAnyEnd : last,
    current: [t`No newer version.`, last].join(' '),
    checking: t`Checking for updates…`,
    found: t`Version ${version} is available.`,
    downloading: t`Downloading version ${version}…`,
    ready: installsAtAnyEnd ? atAnyEnd : t`Version ${version} is installed when you quit, unless work waits.`,
  };
  return words[state].trim();
}
