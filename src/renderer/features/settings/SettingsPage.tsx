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
import { Connect } from './connect/Connect.tsx';
import { Diagnostics } from './Diagnostics.tsx';
import { LibraryFolder } from './folder/LibraryFolder.tsx';
import { Gateways } from './gateways/Gateways.tsx';
import { ModelsAndPrices } from './models/ModelsAndPrices.tsx';
import { Shortcuts } from './Shortcuts.tsx';
import styles from './settings.module.css';

const SECTIONS = [
  { id: 'gateways', label: t`Gateways`, Part: Gateways },
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

/** Opened from a section: what the models of a gateway can do, the licences. */
const INNER = [
  { id: 'models', section: 'gateways', Part: ModelsAndPrices },
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
    ...(ending > 0 ? { gateways: ending === 1 ? t`1 model ends` : t`${ending} models end` } : {}),
  };
}

/** Sections, form, proof. */
export function SettingsPage() {
  usePlace('settings');
  const { params, part } = useRoute();
  const asked = params.get('section');
  const inner = INNER.find(({ id }) => id === asked);
  const section = SECTIONS.find(({ id }) => id === (inner?.section ?? asked)) ?? SECTIONS[0];
  const shown = inner ?? section;
  const notes = useNotes();
  if (part === 'connect') return <Connect />;
  return (
    <main data-page="settings" className={`page ${styles.settings}`} data-section={shown.id}>
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
      <shown.Part />
    </main>
  );
}
