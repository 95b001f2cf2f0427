import { DEFAULT_BACKUPS } from '../../../shared/contract/settings.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  copyText,
  lazyPage,
  navigate,
  useAction,
  useCall,
  useChangedKeys,
  usePlace,
  useRoute,
  useStudio,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { saveFile } from '../../media/saveText.ts';
import { Button, Panel, Reading } from '../../ui/index.ts';
import { About, Appearance } from './Appearance.tsx';
import { Backups } from './backups/Backups.tsx';
import { Computer } from './Computer.tsx';
import { Connect } from './connect/Connect.tsx';
import { LibraryFolder } from './folder/LibraryFolder.tsx';
import { LongText, SettingsSection } from './form.tsx';
import { Gateways } from './gateways/Gateways.tsx';
import { Shortcuts } from './Shortcuts.tsx';
import styles from './settings.module.css';

const SECTIONS = [
  { id: 'gateways', label: t`Gateways`, Part: Gateways },
  { id: 'folder', label: t`Library folder`, Part: LibraryFolder },
  { id: 'backups', label: t`Backups`, Part: Backups },
  { id: 'computer', label: t`This computer`, Part: Computer },
  { id: 'appearance', label: t`Appearance`, Part: Appearance },
  { id: 'shortcuts', label: t`Shortcuts`, Part: Shortcuts },
  { id: 'diagnostics', label: t`Diagnostics`, Part: Diagnostics },
  { id: 'about', label: t`About`, Part: About },
] as const;

/** Loaded on demand: the text is as long as all other settings together. */
const Licences = lazyPage(async () => ({ default: (await import('./Licences.tsx')).Licences }));

/** The notes beside sections that are not open. */
function useNotes(): Partial<Record<(typeof SECTIONS)[number]['id'], string>> {
  const { daily, at } = useStudio((state) => state.settings?.backups ?? DEFAULT_BACKUPS);
  const changed = useChangedKeys().length;
  return {
    backups: daily ? at : t`Never`,
    ...(changed > 0 ? { shortcuts: t`${changed} changed` } : {}),
  };
}

/** Sections, form, proof. */
export function SettingsPage() {
  usePlace('settings');
  const { params, part } = useRoute();
  const asked = params.get('section');
  const isLicences = asked === 'licences';
  const section = SECTIONS.find(({ id }) => id === (isLicences ? 'about' : asked)) ?? SECTIONS[0];
  const notes = useNotes();
  if (part === 'connect') return <Connect />;
  return (
    <main data-page="settings" className={`page ${styles.settings}`} data-section={isLicences ? asked : section.id}>
      <Panel label={t`Sections`} side="left">
        <div className="bar">
          <h1>{t`Settings`}</h1>
        </div>
        <ul className={`lines ${styles.snav}`}>
          {SECTIONS.map(({ id, label }) => (
            <li key={id}>
              <button
                type="button"
                aria-current={id === section.id || undefined}
                onClick={() => navigate('settings', { section: id })}
              >
                {label}
              </button>
              {notes[id] !== undefined && <span className={`t3 ${styles.snavNote}`}>{notes[id]}</span>}
            </li>
          ))}
        </ul>
      </Panel>
      {isLicences ? <Licences /> : <section.Part />}
    </main>
  );
}

/** Facts that help to find an error, shown before they are copied. Nothing is sent. */
function Diagnostics() {
  const read = useCall('diagnostics.read', {});
  const { data, reload } = read;
  const { refusal, run } = useAction();
  const copy = async () => {
    // Read again, so that the copy is current and not from when the page was opened.
    const answer = await run(call('diagnostics.read', {}));
    if (answer.ok) await copyText(answer.data.text);
    reload();
  };
  return (
    <SettingsSection
      label={t`Diagnostics`}
      note={t`Without keys, prompts or header values`}
      refusal={refusal}
      bar={
        <>
          <Button variant="ghost" off={data ? undefined : t`Loading`} onClick={() => data && save(data.text)}>
            {t`Save as file`}
          </Button>
          <Button onClick={() => void copy()}>{t`Copy`}</Button>
        </>
      }
    >
      <Reading of={read} rows={8}>
        {({ text }) => <LongText aria-label={t`Details`}>{text}</LongText>}
      </Reading>
    </SettingsSection>
  );
}

const save = (text: string): void => saveFile('dailies-diagnostics.txt', text, 'text/plain;charset=utf-8');
