import { Info } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { t } from '../../../shared/texts.ts';
import { ACTION_IDS, ACTIONS, type ActionId } from '../../app/keys/actions.ts';
import { printChord } from '../../app/keys/chords.ts';
import { GROUPS, type Group } from '../../app/keys/places.ts';
import { actionOf, rebind, useChangedKeys, useIsRebound, useKeyHint } from '../../app/keys/shortcuts.ts';
import { Button, formatCount, Icon, plural, rich, TextAction } from '../../ui/index.ts';
import { Group as Block, SettingsSection } from './form.tsx';
import { awaitedChord, isWanted, KeySearch, type Wanted } from './KeySearch.tsx';
import { type Clash, clashOf, freeLike, noSharing, ruleAgainst } from './keyRules.ts';
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
