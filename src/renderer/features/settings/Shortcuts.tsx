import { Info, Keyboard } from 'lucide-react';
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
import { Button, formatCount, Icon, plural, rich, TextAction, TextInput } from '../../ui/index.ts';
import { Group as Block, SettingsSection } from './form.tsx';
import styles from './settings.module.css';

/** What the row that is being changed has to say: the keys are awaited, taken, or not allowed. */
interface Recording {
  id: ActionId;
  clash?: Clash | undefined;
  rule?: string | undefined;
}

const IDS = ACTION_IDS.filter((id) => actionOf(id).keys !== undefined);

/** Every key in one map; a row is chosen and the new chord pressed. Esc and Tab leave it as it was. */
export function Shortcuts() {
  const [recording, setRecording] = useState<Recording>();
  const [wanted, setWanted] = useState<Wanted>({ words: '' });
  const found = IDS.filter((id) => isWanted(id, wanted));
  const changed = useChangedKeys();
  return (
    <SettingsSection
      label={t`Shortcuts`}
      bar={
        <>
          <KeySearch wanted={wanted} onWanted={setWanted} />
          <span className="t3" role="status">
            {recording ? t`Press the new keys; Esc leaves it as it is` : countWords(found.length, changed.length)}
          </span>
          {changed.length > 0 && (
            <Button
              variant="ghost"
              onClick={() => void rebind(Object.fromEntries(changed.map((id) => [id, undefined])))}
            >
              {t`All as delivered`}
            </Button>
          )}
        </>
      }
    >
      {found.length === 0 && (
        <p className="t2 pad" role="status">
          {wanted.chord === undefined
            ? t`No command has these words.`
            : t`${printChord(wanted.chord)} is free everywhere.`}
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

const countWords = (count: number, changed: number): string =>
  `${plural(count, 'command')}${changed > 0 ? t`, ${formatCount(changed)} changed` : ''}`;

interface ScopeProps {
  group: Group;
  ids: readonly ActionId[];
  recording: Recording | undefined;
  onRecord: (recording: Recording | undefined) => void;
}

/** The keys that count on one page. */
function Scope({ group, ids, recording, onRecord }: ScopeProps) {
  if (ids.length === 0) return null;
  const text = group === 'everywhere' ? t`Heard on every page.` : plural(ids.length, 'command');
  return (
    <Block title={GROUPS[group].title} text={text}>
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
        <span className="grow">{label}</span>
        {own && keys !== undefined && (
          <>
            <span className="t3">{t`changed, was ${printChord(keys)}`}</span>
            <TextAction aria-label={t`${label}: as delivered`} onClick={() => give(keys)}>
              {t`As delivered`}
            </TextAction>
          </>
        )}
        <button
          type="button"
          className={`${styles.keySet} ${recording ? styles.on : ''}`}
          aria-label={`${label}: ${recording ? t`press keys` : t`${hint}. Change`}`}
          onClick={() => onRecord({ id })}
          onKeyDown={onKeyDown}
        >
          {recording ? t`press keys` : <kbd>{hint}</kbd>}
        </button>
      </div>
      {recording && (recording.rule || recording.clash) && (
        <div className={`row ${styles.keyClash}`} role="alert">
          <Icon of={Info} />
          {recording.clash ? (
            <ClashWays id={id} clash={recording.clash} onDone={() => onRecord(undefined)} />
          ) : (
            t`${recording.rule} Nothing was changed.`
          )}
        </div>
      )}
    </li>
  );
}

/** What the keys mean already, and the ways out. */
function ClashWays({ id, clash, onDone }: { id: ActionId; clash: Clash; onDone: () => void }) {
  const give = (keys: Parameters<typeof rebind>[0]) => {
    void rebind(keys);
    onDone();
  };
  const another = freeLike(id, clash.chord);
  return (
    <>
      <span className="grow">
        <b>{printChord(clash.chord)}</b>{' '}
        {rich`already means ${<b>{ACTIONS[clash.with].label}</b>}. Both would be heard at once.`}
      </span>
      <Button
        variant="ghost"
        off={clash.noSwap}
        onClick={() => give({ [id]: clash.chord, [clash.with]: clash.swapTo })}
      >
        {t`Swap with it`}
      </Button>
      {another !== undefined && (
        <Button onClick={() => give({ [id]: another })}>{t`Use ${printChord(another)}`}</Button>
      )}
      <Button variant="ghost" off={noSharing(id, clash.with)} onClick={() => give({ [id]: clash.chord })}>
        {t`Take it anyway`}
      </Button>
      <Button variant="ghost" onClick={onDone}>
        {t`Leave both`}
      </Button>
    </>
  );
}

/** Which commands are listed: those with these words or, once keys were pressed, those that answer to them. */
interface Wanted {
  words: string;
  chord?: string | undefined;
}

function isWanted(id: ActionId, { words, chord }: Wanted): boolean {
  if (chord !== undefined) return chordNow(id) === chord;
  const said = `${ACTIONS[id].label} ${printChord(chordNow(id))}`.toLowerCase();
  return words
    .toLowerCase()
    .split(' ')
    .every((word) => said.includes(word));
}

/** The keys that were waited for, which mean nothing else then; Tab goes on. */
function awaitedChord(event: KeyboardEvent): string {
  const chord = event.key === 'Tab' ? '' : chordOf(event.nativeEvent);
  if (chord !== '') {
    event.preventDefault();
    event.stopPropagation();
  }
  return chord;
}

/** Finds a command by its words, or by pressing its keys. */
function KeySearch({ wanted, onWanted }: { wanted: Wanted; onWanted: (wanted: Wanted) => void }) {
  const [isListening, setListening] = useState(false);
  const hear = (event: KeyboardEvent) => {
    const chord = isListening && awaitedChord(event);
    if (!chord) return;
    setListening(false);
    if (chord !== 'Escape') onWanted({ words: '', chord });
  };
  return (
    <>
      <TextInput
        className={styles.keyFind}
        aria-label={t`Find a command`}
        placeholder={t`Find a command`}
        value={wanted.words}
        onValue={(words) => onWanted({ words })}
      />
      <Button
        variant="ghost"
        aria-pressed={isListening}
        onClick={() => setListening(!isListening)}
        onKeyDown={hear}
        onBlur={() => setListening(false)}
      >
        <Icon of={Keyboard} />
        {isListening ? t`Press the keys` : t`By keys`}
      </Button>
      {wanted.chord !== undefined && (
        <TextAction
          onClick={() => onWanted({ words: '' })}
        >{t`${printChord(wanted.chord)}: show all again`}</TextAction>
      )}
    </>
  );
}

/** Keys that mean something to every control: a page that took them could no longer be left, or moved through. */
const RESERVED = new Set(['Tab', 'Shift+Tab', 'Enter', 'Space', 'Escape']);
const SPENDS: ActionId = 'spend.go';

/** Why an action cannot have a chord: one sentence, or nothing where it can. */
function ruleAgainst(id: ActionId, chord: string): string | undefined {
  if (chord === actionOf(id).keys) return undefined;
  if (RESERVED.has(chord)) return t`${printChord(chord)} belongs to the controls of every page.`;
  if (id === SPENDS && !hasModifier(chord))
    return t`The main button of a page may spend money: its key needs ${printChord('Mod')} or ${printChord('Alt')} held, so that no slip of a finger presses it.`;
  return undefined;
}

/** An action that has the chord already. */
interface Clash {
  chord: string;
  with: ActionId;
  /** The chord that the other would get in a swap. */
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

/** A chord like this one that nothing has yet: with Shift, else with Alt or Ctrl. */
function freeLike(id: ActionId, chord: string): string | undefined {
  const key = chord.split('+').at(-1) ?? '';
  const like = [`Shift+${key}`, `Alt+${key}`, `Mod+Shift+${key}`, `Alt+Shift+${key}`];
  return like.find((one) => chordLike(one) && ruleAgainst(id, one) === undefined && clashesOf(id, one).length === 0);
}

/** Shift of a sign is another sign. */
const chordLike = (chord: string): boolean => !/^Shift\+[^A-Z0-9]$/.test(chord);

/** Why both cannot have the chord: what spends money is pressed for nothing else. */
const noSharing = (id: ActionId, other: ActionId): string | undefined =>
  id === SPENDS || other === SPENDS ? t`The key that spends money has one meaning everywhere.` : undefined;

/** The rule comes before the clash: another action can be moved away, what spends never gets a plain key. */
function noSwap(id: ActionId, other: ActionId, swapTo: string, more: readonly ActionId[]): string | undefined {
  const against = ruleAgainst(other, swapTo);
  if (against !== undefined) return against;
  const third = more[0] ?? clashesOf(other, swapTo).find((clash) => clash !== id);
  return third === undefined ? undefined : t`“${ACTIONS[third].label}” would be heard too.`;
}
