import { useState } from 'react';
import { placeCues } from '../../../../shared/film/subtitles/filmSubtitles.ts';
import { MAX_SUBTITLE_FILE, readSubtitles } from '../../../../shared/film/subtitles/readSubtitles.ts';
import { spreadByWords } from '../../../../shared/film/subtitles/subtitle.ts';
import { counted, plural, t } from '../../../../shared/text/texts.ts';
import { announce, useKeyHint } from '../../../app/index.ts';
import { textOfFile } from '../../../media/textOfFile.ts';
import { Button, ErrorBox, FileButton, Section } from '../../../ui/index.ts';
import { FreeBar } from '../controls.tsx';
import { ownEndMs } from '../model/timeline.ts';
import type { ShotView } from '../model/view.ts';
import { ChosenSubtitle } from './ChosenSubtitle.tsx';
import { editSubtitles, importedSubtitles } from './soundEdits.ts';
import type { SoundPanelProps } from './TrackPanel.tsx';
import { useChosen } from './useFilmSound.ts';
import { addSubtitle, saveSubtitles } from './useWordKeys.ts';

/** The film's subtitles: the selected one, their timing, and how they are exported. */
export function WordsPanel({ board, sound, player }: Omit<SoundPanelProps, 'shot'>) {
  const chosen = useChosen(sound);
  const hint = useKeyHint('sound.add');
  const spread = ({ shot, span }: ShotView) =>
    board.sync.edit(editSubtitles(shot.id, (all) => spreadByWords(all, ownEndMs(span), (span.from ?? 0) * 1_000)));
  return (
    <>
      <div className="scroll">
        {chosen ? (
          <ChosenSubtitle
            key={`${chosen.view.shot.id} ${chosen.subtitle.id}`}
            board={board}
            sound={sound}
            chosen={chosen}
          />
        ) : (
          <Section>
            <p className="t2">{t`No subtitles yet`}</p>
          </Section>
        )}
        <Section>
          <div className="row wrap">
            <Button kbd={hint} onClick={() => addSubtitle(board, sound, player)}>
              {t`Add a subtitle`}
            </Button>
            <Import board={board} sound={sound} />
          </div>
        </Section>
        {chosen && (
          <Section>
            <Button onClick={() => spread(chosen.view)}>{t`Spread the subtitles of shot ${chosen.view.number}`}</Button>
          </Section>
        )}
      </div>
      <FreeBar
        what={plural(sound.subtitles.length, 'subtitle')}
        label={t`Save subtitles`}
        kbd={useKeyHint('sound.save')}
        off={sound.cues.length === 0 ? t`No subtitles yet` : undefined}
        onDo={() => saveSubtitles(board, sound)}
      />
    </>
  );
}

/** Imports SubRip or WebVTT into the shots; unreadable lines are reported before anything changes. */
function Import({ board, sound }: Pick<SoundPanelProps, 'board' | 'sound'>) {
  const [told, setTold] = useState<string[]>([]);
  const read = async (chosen: File) => {
    const text = await textOfFile(chosen, MAX_SUBTITLE_FILE);
    if (!text.ok) return setTold([text.error.message]);
    const { cues, errors } = readSubtitles(text.data);
    const placed = placeCues(cues, sound.plan);
    const late = placed.leftOut.length;
    // For example a file that starts at hour 01, as broadcasters do: existing subtitles stay.
    const isNone = placed.byShot.size === 0;
    setTold([
      ...errors.slice(0, 5).map(({ line, message }) => t`Line ${line}: ${message}`),
      ...(errors.length > 5 ? [t`${errors.length - 5} more lines cannot be read.`] : []),
      ...(late > 0 ? [t`Left out, after the end of the film: ${counted(late, 'subtitle')}`] : []),
      ...(isNone ? [t`Nothing was changed.`] : []),
    ]);
    if (isNone) return;
    const played = new Set(sound.shots.map(({ shot }) => shot.id));
    board.sync.edit(importedSubtitles(placed, played, () => crypto.randomUUID()));
    announce(t`${counted(cues.length - late, 'subtitle')} imported`);
  };
  return (
    <>
      <FileButton
        label={t`File of subtitles`}
        accept=".srt,.vtt,text/vtt,application/x-subrip"
        onFiles={([file]) => void read(file)}
      >
        <Button variant="ghost" title={sound.subtitles.length > 0 ? t`Replaces the subtitles of the film` : undefined}>
          {t`Import SRT, VTT`}
        </Button>
      </FileButton>
      {told.length > 0 && (
        <ErrorBox title={t`Not everything was read`} actions={[{ label: t`Close`, onDo: () => setTold([]) }]}>
          {told.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </ErrorBox>
      )}
    </>
  );
}
