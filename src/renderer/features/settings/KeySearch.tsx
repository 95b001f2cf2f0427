import { Keyboard } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { t } from '../../../shared/texts.ts';
import { ACTIONS, type ActionId } from '../../app/keys/actions.ts';
import { chordOf, printChord } from '../../app/keys/chords.ts';
import { chordNow } from '../../app/keys/shortcuts.ts';
import { Button, Icon, TextAction, TextInput } from '../../ui/index.ts';
import styles from './settings.module.css';

/** Which commands are listed: those with these words or, once keys were pressed, those that answer to them. */
export interface Wanted {
  words: string;
  chord?: string | undefined;
}

export function isWanted(id: ActionId, { words, chord }: Wanted): boolean {
  if (chord !== undefined) return chordNow(id) === chord;
  const said = `${ACTIONS[id].label} ${printChord(chordNow(id))}`.toLowerCase();
  return words
    .toLowerCase()
    .split(' ')
    .every((word) => said.includes(word));
}

/** The keys that were waited for, which mean nothing else then; Tab goes on. */
export function awaitedChord(event: KeyboardEvent): string {
  const chord = event.key === 'Tab' ? '' : chordOf(event.nativeEvent);
  if (chord !== '') {
    event.preventDefault();
    event.stopPropagation();
  }
  return chord;
}

/** Finds a command by its words, or by pressing its keys. */
export function KeySearch({ wanted, onWanted }: { wanted: Wanted; onWanted: (wanted: Wanted) => void }) {
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
