import { type ReactNode, useRef, useSyncExternalStore } from 'react';
import { shareSlots } from '../../../../shared/board/assignReferences.ts';
import type { Shot } from '../../../../shared/board/board.ts';
import type { CastMember } from '../../../../shared/board/cast.ts';
import { mentionsOf } from '../../../../shared/board/mentions.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type Offered, OfferList, TextArea, useOffer } from '../../../ui/index.ts';
import inspectorStyles from '../inspector/inspector.module.css';
import { patchShot } from '../model/shots.ts';
import type { ViewProps } from '../tabProps.ts';
import styles from './names.module.css';
import { castOfBoard } from './useCast.ts';

/** The prompt of a shot, with the names of its cast. */
export function ShotWords({ board, view }: ViewProps) {
  const { number } = view;
  const { sync } = board;
  const state = useSyncExternalStore(sync.subscribeToTyping, sync.state);
  const shot = state.board?.shots.find(({ id }) => id === view.shot.id) ?? view.shot;
  const cast = castOfBoard(board);
  const isUnsaved = state.refused.some(({ shotId }) => shotId === shot.id) || (state.unsaved > 0 && state.error);
  return (
    <div className="stack">
      <span className="row between">
        <span className="lab">{t`Prompt`}</span>
        {isUnsaved && <span className="t3">{t`Not saved`}</span>}
      </span>
      <PromptWithNames
        key={shot.id}
        label={t`Prompt of shot ${number}`}
        shot={shot}
        cast={cast}
        onValue={(prompt) => sync.type(patchShot(shot.id, { prompt }))}
        onPause={sync.endTyping}
      />
    </div>
  );
}

/** These keys start a shortcut or leave the field, so the page must show the typed text first. */
const SHORTCUT_KEYS = ['Control', 'Meta', 'Alt', 'Tab', 'Escape'];

interface PromptProps {
  label: string;
  shot: Shot;
  cast: readonly CastMember[];
  onValue: (prompt: string) => void;
  /** Called when the field is left or a shortcut starts. */
  onPause: () => void;
}

/** The prompt of a shot. `@` suggests the cast; mentioned names are marked, dashed if no reference image is sent. */
export function PromptWithNames({ label, shot, cast, onValue, onPause }: PromptProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const plates = useRef<HTMLDivElement>(null);
  const items = cast.map(({ id, name, words, kind }) => ({ id, name, note: words.trim() || kind }));
  const wordsFor = ({ name }: Offered) => `@${name.trim()}`;
  const offer = useOffer({ field: area, text: shot.prompt, items, wordsFor, onValue });
  return (
    <div className={styles.namesPrompt}>
      <div className={`area ${inspectorStyles.prompt} ${styles.plates}`} aria-hidden="true" ref={plates}>
        <Plates shot={shot} cast={cast} />
      </div>
      <TextArea
        {...offer.field}
        ref={area}
        className={inspectorStyles.prompt}
        aria-label={label}
        placeholder={t`What the shot shows: subject, place, light, lens, movement.`}
        value={shot.prompt}
        onValue={onValue}
        onBlur={() => {
          offer.field.onBlur();
          onPause();
        }}
        onKeyDownCapture={({ key }) => SHORTCUT_KEYS.includes(key) && onPause()}
        onScroll={(event) => plates.current?.scrollTo(0, event.currentTarget.scrollTop)}
      />
      {offer.list && <OfferList label={t`Cast members`} list={offer.list} />}
    </div>
  );
}

/** The same text behind the field, with a mark under each name. */
function Plates({ shot, cast }: { shot: Shot; cast: readonly CastMember[] }) {
  const mentions = mentionsOf(shot.prompt, cast);
  const shown = new Set(
    shareSlots(shot, cast).shares.flatMap(({ member, slot }) => (slot === undefined ? [] : [member.id])),
  );
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { at, length, member } of mentions) {
    parts.push(shot.prompt.slice(from, at));
    parts.push(
      <span key={at} className={shown.has(member.id) ? styles.name : `${styles.name} ${styles.isOut}`}>
        {shot.prompt.slice(at, at + length)}
      </span>,
    );
    from = at + length;
  }
  // Gives an empty last line the height that it has in the field.
  return [...parts, `${shot.prompt.slice(from)}\u200b`];
}
