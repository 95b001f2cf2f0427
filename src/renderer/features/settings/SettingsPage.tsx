import { DEFAULT_BACKUPS } from '../../../shared/settings.ts';
import { t } from '../../../shared/texts.ts';
import {
  endingModels,
  lazyPage,
  navigate,
  useActiveProfile,
  useChangedKeys,
  useNow,
  usePlace,
  useRoute,
  useStudio,
} from '../../app/index.ts';
import { Panel } from '../../ui/index.ts';
import { About, Appearance } from './Appearance.tsx';
import { Backups } from './backups/Backups.tsx';
import { CommandLine } from './CommandLine.tsx';
import { Computer } from './Computer.tsx';
import { Diagnostics } from './Diagnostics.tsx';
import { Doctor } from './doctor/Doctor.tsx';
import { LibraryFolder } from './folder/LibraryFolder.tsx';
import { ModelsAndPrices } from './models/ModelsAndPrices.tsx';
import { Profiles } from './Profiles.tsx';
import { Shortcuts } from './Shortcuts.tsx';
import styles from './settings.module.css';

const SECTIONS = [
  { id: 'profiles', label: t`Profiles`, Part: Profiles },
  { id: 'models', label: t`Models and prices`, Part: ModelsAndPrices },
  { id: 'folder', label: t`Library folder`, Part: LibraryFolder },
  { id: 'backups', label: t`Backups`, Part: Backups },
  { id: 'computer', label: t`This computer`, Part: Computer },
  { id: 'appearance', label: t`Appearance`, Part: Appearance },
  { id: 'shortcuts', label: t`Shortcuts`, Part: Shortcuts },
  { id: 'commandLine', label: t`Command line`, Part: CommandLine },
  { id: 'diagnostics', label: t`Diagnostics`, Part: Diagnostics },
  { id: 'about', label: t`About`, Part: About },
] as const;

/** The text is as long as all the rest of the settings. */
const Licences = lazyPage(async () => ({ default: (await import('./Licences.tsx')).Licences }));

/** Opened from a section: the doctor of a connection, the licences. */
const INNER = [
  { id: 'doctor', section: 'profiles', Part: Doctor },
  { id: 'licences', section: 'about', Part: Licences },
] as const;

/** What stands beside a section before it is opened. */
function useNotes(): Partial<Record<(typeof SECTIONS)[number]['id'], string>> {
  const { daily, at } = useStudio((state) => state.settings?.backups ?? DEFAULT_BACKUPS);
  const changed = useChangedKeys().length;
  const ending = endingModels(useActiveProfile(), useNow(600_000)).length;
  return {
    backups: daily ? at : t`never`,
    ...(changed > 0 ? { shortcuts: t`${changed} changed` } : {}),
    ...(ending > 0 ? { models: ending === 1 ? t`1 ends` : t`${ending} end` } : {}),
  };
}

/** Sections, form, proof. */
export function SettingsPage() {
  usePlace('settings');
  const { params } = useRoute();
  const asked = params.get('section');
  const inner = INNER.find(({ id }) => id === asked);
  const section = SECTIONS.find(({ id }) => id === (inner?.section ?? asked)) ?? SECTIONS[0];
  const shown = inner ?? section;
  const notes = useNotes();
  return (
    <main data-page="settings" className={`page ${styles.settings}`} data-section={shown.id}>
      <Panel label={t`Sections`} side="left">
        <div className="bar">
          <h1>{t`Settings`}</h1>
        </div>
        <ul className={styles.snav}>
          {SECTIONS.map(({ id, label }) => (
            <li key={id} className={id === section.id ? styles.on : undefined}>
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
          <li>
            <button type="button" onClick={() => navigate('spend')}>
              {t`Prices and budgets`} <span className="t3">{t`on Spend`}</span>
            </button>
          </li>
        </ul>
      </Panel>
      <shown.Part />
    </main>
  );
}
