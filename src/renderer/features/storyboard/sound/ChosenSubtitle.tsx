import { type KeyboardEvent, useEffect, useRef } from 'react';
import { readingSpeed, type Subtitle, splitSubtitle, standLonger } from '../../../../shared/film/subtitles/subtitle.ts';
import { listed, t } from '../../../../shared/text/texts.ts';
import { useShortcut } from '../../../app/index.ts';
import { Button, Field, Kbd, NumberInput, plural, Section, TextArea } from '../../../ui/index.ts';
import { WayButton } from '../controls.tsx';
import { ownEndMs, ownStart } from '../model/timeline.ts';
import type { BoardHandle } from '../useBoard.ts';
import { remarkOf } from './SubtitleTable.tsx';
import { dividedSubtitle, editSubtitles, patchSubtitle } from './soundEdits.ts';
import styles from './soundPanel.module.css';
import { chooseSubtitle, type FilmSound, type PlacedSubtitle, useSoundView } from './useFilmSound.ts';

interface ChosenProps {
  board: BoardHandle;
  sound: FilmSound;
  chosen: PlacedSubtitle;
}

const MILLISECONDS: Intl.NumberFormatOptions = { minimumFractionDigits: 1, maximumFractionDigits: 3 };

/** Text and times of one subtitle, its reading speed, and ways to slow it. */
export function ChosenSubtitle({ board, sound, chosen }: ChosenProps) {
  const { view, subtitle, facts } = chosen;
  const place = sound.subtitles.indexOf(chosen);
  const next = sound.subtitles[place + 1];
  const edit = (patch: Partial<Subtitle>) => board.sync.edit(patchSubtitle(view.shot.id, subtitle.id, patch));
  const remark = remarkOf({ ...chosen, isFast: false }, sound.limit);
  const remove = () =>
    board.sync.edit(editSubtitles(view.shot.id, (all) => all.filter(({ id }) => id !== subtitle.id)));
  return (
    <>
      <Section
        title={t`Shot ${view.number}, subtitle ${place + 1} of ${sound.subtitles.length}`}
        end={
          <Button variant="ghost" onClick={remove}>
            {t`Remove`}
          </Button>
        }
      >
        <Words
          chosen={chosen}
          onText={(text) => edit({ text })}
          onNext={() => next && chooseSubtitle(next.view.shot.id, next.subtitle.id)}
        />
        <Times board={board} chosen={chosen} />
      </Section>
      <Section title={t`Reading speed`}>
        <p className={`row ${styles.rsp}`}>
          <b>{facts.perSecond.toFixed(1)}</b>
          <span className="t2">{t`characters a second, limit ${sound.limit}`}</span>
        </p>
        {remark !== '' && <p className="t2">{remark}</p>}
        {chosen.isFast && <Ways board={board} sound={sound} chosen={chosen} />}
      </Section>
    </>
  );
}

/** Enter goes to the next subtitle; Alt+Enter starts a new line. */
function Words({
  chosen: { subtitle, facts, view },
  onText,
  onNext,
}: {
  chosen: PlacedSubtitle;
  onText: (text: string) => void;
  onNext: () => void;
}) {
  const isNew = useSoundView((sound) => sound.chosen?.id === subtitle.id && sound.chosen.isNew);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isNew) return;
    area.current?.focus();
    chooseSubtitle(view.shot.id, subtitle.id);
  }, [isNew, view.shot.id, subtitle.id]);
  const key = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (!event.altKey || !(event.target instanceof HTMLTextAreaElement)) return onNext();
    const { selectionStart: from, selectionEnd: to, value } = event.target;
    event.target.setRangeText('\n', from, to, 'end');
    onText(`${value.slice(0, from)}\n${value.slice(to)}`);
  };
  return (
    <>
      <TextArea
        ref={area}
        aria-label={t`Subtitle of shot ${view.number}`}
        className={styles.sndArea}
        value={subtitle.text}
        maxLength={1_000}
        onValue={onText}
        onKeyDown={key}
      />
      <div className="row between t3 mt">
        <span className="num">{`${plural(facts.lines.length, 'line')}, ${listed(facts.lines.map(String))}`}</span>
        <span>
          <Kbd>Alt ↵</Kbd> {t`New line`}
        </span>
      </div>
    </>
  );
}

/** Shown in film time, stored in the shot's: a subtitle moves with its shot. */
function Times({ board, chosen: { view, subtitle, start, end } }: Pick<ChosenProps, 'board' | 'chosen'>) {
  const inShot = (seconds: number) => Math.round((seconds - ownStart(view.span)) * 1_000);
  const edit = (patch: Partial<Subtitle>) => board.sync.edit(patchSubtitle(view.shot.id, subtitle.id, patch));
  const [min, max] = [view.span.start, view.span.start + view.span.seconds];
  const fields = [
    {
      ...{ label: t`In`, value: round(start), min, max },
      set: (next: number) => inShot(next) >= 0 && edit({ startMs: inShot(next) }),
    },
    {
      ...{ label: t`Out`, value: round(end), min, max },
      set: (next: number) => inShot(next) > subtitle.startMs && edit({ endMs: inShot(next) }),
    },
    {
      ...{ label: t`Length`, value: (subtitle.endMs - subtitle.startMs) / 1_000, min: 0.1 },
      set: (next: number) => next > 0 && edit({ endMs: subtitle.startMs + Math.round(next * 1_000) }),
    },
  ];
  return (
    <div className={styles.g3}>
      {fields.map(({ label, set, ...range }) => (
        <Field key={label} label={label}>
          <NumberInput
            {...range}
            step={0.1}
            unit="s"
            format={MILLISECONDS}
            onValue={(next) => next !== null && set(next)}
          />
        </Field>
      ))}
    </div>
  );
}

const round = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

function Ways({ board, sound: { limit }, chosen: { view, subtitle } }: ChosenProps) {
  const all = view.shot.subtitles ?? [];
  const shotMs = ownEndMs(view.span);
  const longer = standLonger(subtitle, all, { shotMs, limit });
  const parts = splitSubtitle(subtitle, all, { shotMs, limit, newId: `${subtitle.id.slice(0, 80)}.${all.length}` });
  const stand = () => longer && board.sync.edit(patchSubtitle(view.shot.id, subtitle.id, longer));
  const split = () => {
    if (!parts) return;
    board.sync.edit(dividedSubtitle(view.shot.id, [parts[0], { ...parts[1], id: crypto.randomUUID() }]));
  };
  const speed = (one: Subtitle) => readingSpeed(one).toFixed(1);
  const figure = (text: string) => <span className="t3 num">{text}</span>;
  return (
    <div className="ways mt">
      <WayButton
        title={t`Show longer`}
        end={longer && figure(speed(longer))}
        hint={useShortcut('sound.longer', stand)}
        off={longer ? undefined : t`No room here.`}
        onClick={stand}
      />
      <WayButton
        title={t`Split`}
        end={parts && figure(parts.map(speed).join(', '))}
        hint={useShortcut('sound.split', split)}
        off={parts ? undefined : t`Only one word`}
        onClick={split}
      />
    </div>
  );
}
