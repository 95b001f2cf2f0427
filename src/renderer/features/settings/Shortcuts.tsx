import { Info } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { KEY_ACTIONS, type KeyAction, type KeyActionId } from '../../app/keys/actions.ts';
import { chordOf, printChord } from '../../app/keys/chords.ts';
import { rebind, useIsRebound, useKeyHint } from '../../app/keys/shortcuts.ts';
import { Button, Icon, Kbd, Panel, TextAction } from '../../ui/index.ts';
import { type Clash, clashOf, ruleAgainst } from './keyRules.ts';

const SCOPES: Record<KeyAction['scope'], string> = {
  everywhere: 'Everywhere',
  chat: 'Chat',
  board: 'Board and verdicts',
  sound: 'Sound and words',
  audition: 'Audition',
  seams: 'Seams',
  painter: 'Painter',
  queue: 'Queue',
  triage: 'Triage',
  player: 'Player of one file',
  batch: 'Import of jobs',
  night: 'Night',
  prices: 'A price that does not agree',
  library: 'Library',
  settings: 'Settings',
};

/** What the row that is being changed has to say: the keys are awaited, taken, or not allowed. */
interface Recording {
  id: KeyActionId;
  clash?: Clash | undefined;
  rule?: string | undefined;
}

/** Every key in one map; a row is chosen and the new chord pressed. Esc and Tab leave it as it was. */
export function Shortcuts() {
  const ids = Object.keys(KEY_ACTIONS) as KeyActionId[];
  const [recording, setRecording] = useState<Recording>();
  return (
    <Panel label="Shortcuts" side="centre">
      <div className="bar">
        <h2>Shortcuts</h2>
        <span className="grow" />
        <span className="t3" role="status">
          {recording ? 'Press the new keys; Esc leaves it as it is' : 'Choose one to change it'}
        </span>
      </div>
      <div className="scroll set">
        {(Object.keys(SCOPES) as KeyAction['scope'][]).map((scope) => (
          <section key={scope} className="fs" aria-label={SCOPES[scope]}>
            <div className="fl">
              <h2>{SCOPES[scope]}</h2>
            </div>
            <ul className="keys">
              {ids
                .filter((id) => KEY_ACTIONS[id].scope === scope)
                .map((id) => (
                  <KeyRow
                    key={id}
                    id={id}
                    recording={recording?.id === id ? recording : undefined}
                    onRecord={setRecording}
                  />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </Panel>
  );
}

interface KeyRowProps {
  id: KeyActionId;
  recording: Recording | undefined;
  onRecord: (recording: Recording | undefined) => void;
}

function KeyRow({ id, recording, onRecord }: KeyRowProps) {
  const hint = useKeyHint(id);
  const own = useIsRebound(id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!recording || event.key === 'Tab') return;
    const chord = chordOf(event.nativeEvent);
    if (chord === '') return;
    event.preventDefault();
    event.stopPropagation();
    if (chord === 'Escape') return onRecord(undefined);
    give(chord);
  };
  /** Gives it the chord, or opens what stands against that. */
  const give = (chord: string) => {
    const rule = ruleAgainst(id, chord);
    const clash = rule === undefined ? clashOf(id, chord) : undefined;
    if (rule !== undefined || clash) return onRecord({ id, rule, clash });
    void rebind({ [id]: chord });
    onRecord(undefined);
  };
  return (
    <li onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || onRecord(undefined)}>
      <div className="row">
        <span className="grow">{KEY_ACTIONS[id].label}</span>
        {own && <TextAction onClick={() => give(KEY_ACTIONS[id].chord)}>Default</TextAction>}
        <button
          type="button"
          className={`key-set ${recording ? 'on' : ''}`}
          aria-label={`${KEY_ACTIONS[id].label}: ${recording ? 'press keys' : `${hint}. Change`}`}
          onClick={() => onRecord({ id })}
          onKeyDown={onKeyDown}
        >
          {recording ? 'press keys' : <Kbd>{hint}</Kbd>}
        </button>
      </div>
      {recording?.rule !== undefined && (
        <p className="row key-clash" role="alert">
          <Icon of={Info} />
          {recording.rule} Nothing was changed.
        </p>
      )}
      {recording?.clash && <ClashRow id={id} clash={recording.clash} onDone={() => onRecord(undefined)} />}
    </li>
  );
}

/** Opens under the row: what the keys mean already, and the ways out. */
function ClashRow({ id, clash, onDone }: { id: KeyActionId; clash: Clash; onDone: () => void }) {
  const swap = () => {
    void rebind({ [id]: clash.chord, [clash.with]: clash.swapTo });
    onDone();
  };
  return (
    <div className="row key-clash" role="alert">
      <Icon of={Info} />
      <span className="grow">
        <b>{printChord(clash.chord)}</b> already means <b>{KEY_ACTIONS[clash.with].label}</b>. Both would be heard at
        once.
      </span>
      <Button variant="ghost" off={clash.noSwap} onClick={swap}>
        Swap with it
      </Button>
      <Button variant="ghost" onClick={onDone}>
        Leave both
      </Button>
    </div>
  );
}
