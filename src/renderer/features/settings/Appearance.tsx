import type { Settings } from '../../../shared/contract/settings.ts';
import { t } from '../../../shared/text/texts.ts';
import { navigate, saveSettings, useAction, useCall, useStudio } from '../../app/index.ts';
import { otherLanguages } from '../../language.ts';
import { Button, formatBytes, KeyValue, plural, Segmented, Select } from '../../ui/index.ts';
import { Group, SettingsSection } from './form.tsx';

const THEMES = [
  { value: 'dark', label: t`Dark` },
  { value: 'light', label: t`Light` },
  { value: 'system', label: t`As the system` },
] as const;

/** What the window looks like. Takes effect at once. */
export function Appearance() {
  const others = otherLanguages();
  const theme = useStudio((state) => state.settings?.theme ?? 'dark');
  const { refusal, run } = useAction();
  const choose = (next: Settings['theme']) => void run(saveSettings({ theme: next }));
  return (
    <SettingsSection label={t`Appearance`}>
      <Group title={t`Theme`} text={t`Both themes are grey, so that nothing tints a picture.`} refusal={refusal}>
        <Segmented aria-label={t`Theme`} options={THEMES} value={theme} onValue={choose} />
      </Group>
      {others.length > 0 && <LanguageGroup others={others} />}
      <Group title={t`Motion`} text={t`Follows the system. With reduced motion nothing moves but the pictures.`} />
    </SettingsSection>
  );
}

/** A language is loaded before everything else, so another one is spoken from the next start. */
export function LanguageGroup({ others }: { others: readonly string[] }) {
  const language = useStudio((state) => state.settings?.language ?? 'system');
  const { refusal, run } = useAction();
  const options = [
    { value: 'system', label: t`As the system` },
    ...['en', ...others].map((tag) => ({ value: tag, label: nameOfLanguage(tag) })),
  ];
  return (
    <Group title={t`Language`} text={t`Another language is spoken from the next start.`} refusal={refusal}>
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

/** Where everything is: a library that was moved lies in another folder. */
export function About() {
  const info = useStudio((state) => state.info);
  const library = useCall('library.folder', {}, { on: ['settings.changed', 'export.changed'] }).data;
  const moved = library?.isUsual === false ? library.folder : undefined;
  const where =
    moved === undefined
      ? t`Everything you made is in this folder, and opens without a network.`
      : t`What you made is in these two folders: the files in that of the library, all else in the first.`;
  const { data } = useCall('library.stats', {});
  return (
    <SettingsSection label={t`About`} title={t`About this studio`}>
      <Group title={t`This machine`} text={library ? where : ''}>
        <KeyValue
          items={[
            [t`Version`, info?.version],
            [t`Runs in`, info?.host === 'electron' ? t`its own window` : t`the browser`],
            [t`Folder`, info && <span className="mono">{info.dataDir}</span>],
            [t`Library folder`, moved !== undefined && <span className="mono">{moved}</span>],
            [t`Library`, data && `${plural(data.assets, 'file')}, ${formatBytes(data.bytes)}`],
            [t`Free`, data && formatBytes(data.freeBytes)],
          ]}
        />
      </Group>
      <Group title={t`Licences`} text={t`Dailies is free software under the MIT licence.`}>
        <div>
          <Button onClick={() => navigate('settings', { section: 'licences' })}>{t`Show licences`}</Button>
        </div>
      </Group>
    </SettingsSection>
  );
}
