import type { Settings } from '../../../shared/contract/settings.ts';
import { t } from '../../../shared/text/texts.ts';
import { navigate, saveSettings, useAction, useCall, useStudio } from '../../app/index.ts';
import { otherLanguages } from '../../language.ts';
import { Button, KeyValue, Segmented, Select } from '../../ui/index.ts';
import { Group, SettingsSection } from './form.tsx';

const THEMES = [
  { value: 'dark', label: t`Dark` },
  { value: 'light', label: t`Light` },
  { value: 'system', label: t`Same as system` },
] as const;

/** The look of the window. Changes apply at once. */
export function Appearance() {
  const others = otherLanguages();
  const theme = useStudio((state) => state.settings?.theme ?? 'dark');
  const { refusal, run } = useAction();
  const choose = (next: Settings['theme']) => void run(saveSettings({ theme: next }));
  return (
    <SettingsSection label={t`Appearance`}>
      <Group title={t`Theme`} refusal={refusal}>
        <Segmented aria-label={t`Theme`} options={THEMES} value={theme} onValue={choose} />
      </Group>
      {others.length > 0 && <LanguageGroup others={others} />}
    </SettingsSection>
  );
}

/** The language is loaded before everything else, so another one applies at the next start. */
export function LanguageGroup({ others }: { others: readonly string[] }) {
  const language = useStudio((state) => state.settings?.language ?? 'system');
  const { refusal, run } = useAction();
  const options = [
    { value: 'system', label: t`Same as system` },
    ...['en', ...others].map((tag) => ({ value: tag, label: nameOfLanguage(tag) })),
  ];
  return (
    <Group title={t`Language`} text={t`Applies after a restart.`} refusal={refusal}>
      <Select
        aria-label={t`Language`}
        options={options}
        value={language}
        onValue={(next) => void run(saveSettings({ language: next }))}
      />
    </Group>
  );
}

/** In the language itself: `Deutsch`. */
const nameOfLanguage = (tag: string): string => new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;

/** Where the files of Dailies are; a moved library is in another folder. */
export function About() {
  const info = useStudio((state) => state.info);
  const library = useCall('library.folder', {}, { on: ['settings.changed', 'export.changed'] }).data;
  const moved = library?.isUsual === false ? library.folder : undefined;
  return (
    <SettingsSection label={t`About`}>
      <Group title={t`Dailies`}>
        <KeyValue
          items={[
            [t`Version`, info?.version],
            [t`Data folder`, info && <span className="mono">{info.dataDir}</span>],
            [t`Library folder`, moved !== undefined && <span className="mono">{moved}</span>],
          ]}
        />
      </Group>
      <Group title={t`Licences`} text={t`Dailies is under the MIT licence.`}>
        <div>
          <Button onClick={() => navigate('settings', { section: 'licences' })}>{t`Show licences`}</Button>
        </div>
      </Group>
    </SettingsSection>
  );
}
