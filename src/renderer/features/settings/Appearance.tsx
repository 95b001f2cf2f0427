import type { Settings } from '../../../shared/settings.ts';
import { saveSettings, useAction, useCall, useStudio } from '../../app/index.ts';
import { formatBytes, KeyValue, Panel, plural, Refusal, Segmented } from '../../ui/index.ts';
import { Group } from './form.tsx';

const THEMES = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
  { value: 'system', label: 'As the system' },
] as const;

/** What the window looks like. Takes effect at once. */
export function Appearance() {
  const theme = useStudio((state) => state.settings?.theme ?? 'dark');
  const { refusal, run } = useAction();
  const choose = (next: Settings['theme']) => void run(saveSettings({ theme: next }));
  return (
    <Panel label="Appearance" side="centre">
      <div className="bar">
        <h2>Appearance</h2>
      </div>
      <div className="scroll set">
        <Group title="Theme" text="Both themes are grey, so that nothing tints a picture.">
          <div>
            <Segmented aria-label="Theme" options={THEMES} value={theme} onValue={choose} />
            <Refusal text={refusal} />
          </div>
        </Group>
        <Group title="Motion" text="Follows the system. With reduced motion nothing moves but the pictures.">
          <span />
        </Group>
      </div>
    </Panel>
  );
}

/** Where everything is. */
export function About() {
  const info = useStudio((state) => state.info);
  const { data } = useCall('library.stats', {});
  return (
    <Panel label="About" side="centre">
      <div className="bar">
        <h2>About this studio</h2>
      </div>
      <div className="scroll set">
        <Group title="This machine" text="Everything you made is in this folder, and opens without a network.">
          <KeyValue
            items={[
              ['Version', info?.version],
              ['Runs in', info?.host === 'electron' ? 'its own window' : 'the browser'],
              ['Folder', info && <span className="mono">{info.dataDir}</span>],
              ['Library', data && `${plural(data.assets, 'file')}, ${formatBytes(data.bytes)}`],
              ['Free', data && formatBytes(data.freeBytes)],
            ]}
          />
        </Group>
      </div>
    </Panel>
  );
}
