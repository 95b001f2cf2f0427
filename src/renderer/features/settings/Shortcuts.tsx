import { Info } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { ACTION_IDS, ACTIONS, type ActionId } from '../../app/keys/actions.ts';
import { chordOf, hasModifier, printChord } from '../../app/keys/chords.ts';
import { GROUPS, type Group } from '../../app/keys/places.ts';
import {
  actionOf,
  chordNow,
  clashesOf,
  rebind,
  useChangedKeys,
  useIsRebound,
  useKeyHint,
} from '../../app/keys/shortcuts.ts';
import { Button, Icon, rich, TextAction, TextInput } from '../../ui/index.ts';
import { Group as Block, SettingsSection } from './form.tsx';
import styles from './settings.module.css';

/** The state of the row that is being changed: waiting for keys, or its keys are taken or not allowed. */
interface Recording {
  id: ActionId;
  clash?: Clash | undefined;
  rule?: string | undefined;
}

const IDS = ACTION_IDS.filter((id) => actionOf(id).keys !== undefined);

/** All shortcuts. Select a row and press the new keys; Esc and Tab change nothing. */
export function Shortcuts() {
  const [recording, setRecording] = useState<Recording>();
  const [words, setWords] = useState('');
  const found = IDS.filter((id) => isNamed(id, words));
  const changed = useChangedKeys();
  return (
    <SettingsSection
      label={t`Shortcuts`}
      bar={
        <>
          <TextInput
            className={styles.keyFind}
            aria-label={t`Find a command`}
            placeholder={t`Find a command`}
            value={words}
            onValue={setWords}
          />
          {changed.length > 0 && (
            <Button
              variant="ghost"
              onClick={() => void rebind(Object.fromEntries(changed.map((id) => [id, undefined])))}
            >
              {t`Reset all`}
            </Button>
          )}
        </>
      }
    >
      {found.length === 0 && (
        <p className="t2 pad" role="status">
          {t`Nothing found`}
        </p>
      )}
      {(Object.keys(GROUPS) as Group[]).map((group) => (
        <Scope
          key={group}
          group={group}
          ids={found.filter((id) => ACTIONS[id].group === group)}
          recording={recording}
          onRecord={setRecording}
        />
      ))}
    </SettingsSection>
  );
}

interface ScopeProps {
  group: Group;
  ids: readonly ActionId[];
  recording: Recording | undefined;
  onRecord: (recording: Recording | undefined) => void;
}

/** The shortcuts of one page. */
function Scope({ group, ids, recording, onRecord }: ScopeProps) {
  if (ids.length === 0) return null;
  return (
    <Block title={GROUPS[group].title}>
      <ul className={styles.keys}>
        {ids.map((id) => (
          <KeyRow key={id} id={id} recording={recording?.id === id ? recording : undefined} onRecord={onRecord} />
        ))}
      </ul>
    </Block>
  );
}

type KeyRowProps = Pick<ScopeProps, 'recording' | 'onRecord'> & { id: ActionId };

function KeyRow({ id, recording, onRecord }: KeyRowProps) {
  const hint = useKeyHint(id);
  const own = useIsRebound(id);
  const { label, keys } = actionOf(id);
  const onKeyDown = (event: KeyboardEvent) => {
    const chord = recording && awaitedChord(event);
    if (chord === 'Escape') onRecord(undefined);
    else if (chord) give(chord);
  };
  /** Assigns the keys, or shows why that is not possible. */
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
        <span className="grow">{label}</span>
        {own && keys !== undefined && (
          <>
            <span className="t3">{t`Was ${printChord(keys)}`}</span>
            <TextAction aria-label={t`Reset ${label}`} onClick={() => give(keys)}>
              {t`Reset`}
            </TextAction>
          </>
        )}
        <button
          type="button"
          className={`${styles.keySet} ${recording ? styles.on : ''}`}
          aria-label={t`${label}: ${recording ? t`Press keys or Esc` : hint}`}
          onClick={() => onRecord({ id })}
          onKeyDown={onKeyDown}
        >
          {recording ? t`Press keys or Esc` : <kbd>{hint}</kbd>}
        </button>
      </div>
      {recording && (recording.rule || recording.clash) && (
        <div className={`row ${styles.keyClash}`} role="alert">
          <Icon of={Info} />
          {recording.clash ? (
            <ClashWays id={id} clash={recording.clash} onDone={() => onRecord(undefined)} />
          ) : (
            recording.rule
          )}
        </div>
      )}
    </li>
  );
}

/** The action that has these keys already, and the options. */
function ClashWays({ id, clash, onDone }: { id: ActionId; clash: Clash; onDone: () => void }) {
  const give = (keys: Parameters<typeof rebind>[0]) => {
    void rebind(keys);
    onDone();
  };
  return (
    <>
      <span className="grow">
        {rich`${<b>{printChord(clash.chord)}</b>} already means ${<b>{ACTIONS[clash.with].label}</b>}.`}
      </span>
      <Button
        variant="ghost"
        off={clash.noSwap}
        onClick={() => give({ [id]: clash.chord, [clash.with]: clash.swapTo })}
      >
        {t`Swap`}
      </Button>
      <Button variant="ghost" onClick={onDone}>
        {t`Cancel`}
      </Button>
    </>
  );
}

function isNamed(id: ActionId, words: string): boolean {
  const said = `${ACTIONS[id].label} ${printChord(chordNow(id))}`.toLowerCase();
  return words
    .toLowerCase()
    .split(' ')
    .every((word) => said.includes(word));
}

/** Keys pressed while the row waits for them have no other effect. Tab moves on. */
function awaitedChord(event: KeyboardEvent): string {
  const chord = event.key === 'Tab' ? '' : chordOf(event.nativeEvent);
  if (chord !== '') {
    event.preventDefault();
    event.stopPropagation();
  }
  return chord;
}

/** Keys that every control needs: a page that took them could not be left or navigated. */
const RESERVED: readonly string[] = ['Tab', 'Shift+Tab', 'Enter', 'Space', 'Escape'];
const SPENDS: ActionId = 'spend.go';

/** Why an action cannot have these keys, in one sentence; undefined if it can. */
function ruleAgainst(id: ActionId, chord: string): string | undefined {
  if (chord === actionOf(id).keys) return undefined;
  if (RESERVED.includes(chord)) return t`${printChord(chord)} is reserved.`;
  if (id === SPENDS && !hasModifier(chord))
    return t`This key spends money. Add ${printChord('Mod')} or ${printChord('Alt')}.`;
  return undefined;
}

/** Another action that has the keys already. */
interface Clash {
  chord: string;
  with: ActionId;
  /** The keys that the other action would get in a swap. */
  swapTo: string;
  /** Why the two cannot be swapped. */
  noSwap?: string | undefined;
}

function clashOf(id: ActionId, chord: string): Clash | undefined {
  const [other, ...more] = clashesOf(id, chord);
  if (other === undefined) return undefined;
  const swapTo = chordNow(id);
  return { chord, with: other, swapTo, noSwap: noSwap(id, other, swapTo, more) };
}

/** The rule is checked before the clash: the other action can be given other keys, but a spending action never gets a plain key. */
function noSwap(id: ActionId, other: ActionId, swapTo: string, more: readonly ActionId[]): string | undefined {
  const against = ruleAgainst(other, swapTo);
  if (against !== undefined) return against;
  const third = more[0] ?? clashesOf(other, swapTo).find((clash) => clash !== id);
  return third === undefined ? undefined : t`“${ACTIONS[third].label}” has these keys too.`;
}
