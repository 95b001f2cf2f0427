import { useState } from 'react';
import { KEY_ACTIONS, type KeyAction, type KeyActionId } from '../../app/keys/actions.ts';
import { chordOf, printChord } from '../../app/keys/chords.ts';
import { clashesOf, rebind, useIsRebound, useKeyHint } from '../../app/keys/shortcuts.ts';
import { Kbd, Panel, TextAction } from '../../ui/index.ts';

const SCOPES: Record<KeyAction['scope'], string> = {
  everywhere: 'Everywhere',
  chat: 'Chat',
  board: 'Board and verdicts',
  painter: 'Painter',
  queue: 'Queue',
  library: 'Library',
  settings: 'Settings',
};

/** Every key in one map; a row is chosen and the new chord pressed. */
export function Shortcuts() {
  const ids = Object.keys(KEY_ACTIONS) as KeyActionId[];
  const [listening, setListening] = useState<KeyActionId>();
  const [problem, setProblem] = useState<string>();
  const press = (id: KeyActionId, event: React.KeyboardEvent) => {
    const chord = chordOf(event.nativeEvent);
    if (chord === '') return;
    event.preventDefault();
    event.stopPropagation();
    const clash = clashesOf(id, chord)[0];
    if (clash)
      return setProblem(`${printChord(chord)} is taken by “${KEY_ACTIONS[clash].label}”. Nothing was changed.`);
    void rebind(id, chord);
    setProblem(undefined);
    setListening(undefined);
  };
  return (
    <Panel label="Shortcuts" side="centre">
      <div className="bar">
        <h2>Shortcuts</h2>
        <span className="grow" />
        <span className={problem ? 'err' : 't3'} role="status">
          {problem ?? (listening ? 'Press the new keys' : 'Choose one to change it')}
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
                    listening={listening === id}
                    onListen={() => setListening(id)}
                    onStop={() => setListening(undefined)}
                    onPress={(event) => press(id, event)}
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
  listening: boolean;
  onListen: () => void;
  onStop: () => void;
  onPress: (event: React.KeyboardEvent) => void;
}

function KeyRow({ id, listening, onListen, onStop, onPress }: KeyRowProps) {
  const hint = useKeyHint(id);
  const own = useIsRebound(id);
  return (
    <li className="row">
      <span className="grow">{KEY_ACTIONS[id].label}</span>
      {own && <TextAction onClick={() => void rebind(id, undefined)}>Default</TextAction>}
      <button
        type="button"
        className={`key-set ${listening ? 'on' : ''}`}
        aria-label={`${KEY_ACTIONS[id].label}: ${hint}. Change`}
        onClick={onListen}
        onBlur={onStop}
        onKeyDown={(event) => listening && onPress(event)}
      >
        {listening ? 'press keys' : <Kbd>{hint}</Kbd>}
      </button>
    </li>
  );
}
