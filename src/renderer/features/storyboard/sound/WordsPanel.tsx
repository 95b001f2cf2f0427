import { useState } from 'react';
import { filmFrameOf } from '../../../../shared/filmFormat.ts';
import { placeCues } from '../../../../shared/subtitles/filmSubtitles.ts';
import { type SubtitleFile, subtitleFilesOf } from '../../../../shared/subtitles/filmWords.ts';
import { MAX_SUBTITLE_FILE, readSubtitles } from '../../../../shared/subtitles/readSubtitles.ts';
import { spreadByWords } from '../../../../shared/subtitles/subtitle.ts';
import { counted, inflected, t } from '../../../../shared/texts.ts';
import { announce, useKeyHint } from '../../../app/index.ts';
import { textOfFile } from '../../../media/textOfFile.ts';
import { Button, Checkbox, ErrorBox, FileButton, formatCount, Section, Segmented } from '../../../ui/index.ts';
import { FreeBar } from '../FreeBar.tsx';
import { ownEndMs } from '../model/timeline.ts';
import type { ShotView } from '../model/view.ts';
import { ChosenSubtitle } from './ChosenSubtitle.tsx';
import { saveSubtitles } from './saveSubtitles.ts';
import { editSubtitles, importedSubtitles, patchFormat, patchWords } from './soundEdits.ts';
import styles from './soundPanel.module.css';
import type { SoundPanelProps } from './TrackPanel.tsx';
import { useChosen } from './useFilmSound.ts';
import { addSubtitle } from './useWordKeys.ts';

/** The subtitles of the film: the chosen one, their timing, and how they leave with the film. */
export function WordsPanel({ board, sound, player }: Omit<SoundPanelProps, 'shot'>) {
  const chosen = useChosen(sound);
  const above = sound.subtitles.filter(({ isFast }) => isFast).length;
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
          <Section title={t`No words yet`}>
            <p className="t2">{t`A subtitle belongs to the shot that it stands over, and moves with it.`}</p>
          </Section>
        )}
        <Section>
          <div className={`row ${styles.files}`}>
            <Button kbd={hint} onClick={() => addSubtitle(board, sound, player)}>
              {t`Add a subtitle`}
            </Button>
            <Import board={board} sound={sound} />
          </div>
        </Section>
        {chosen && (
          <Section title={t`Timing`}>
            <p className="t2 mb">
              {t`By words: spread over shot ${chosen.view.number} by their length, at least 1.2 s each where the shot is long enough.`}
            </p>
            <Button onClick={() => spread(chosen.view)}>{t`Spread the words of shot ${chosen.view.number}`}</Button>
          </Section>
        )}
        <WithTheFilm board={board} title={t`With the film`} />
        <FilmPicture board={board} />
      </div>
      <FreeBar
        what={t`${counted(sound.subtitles.length, 'subtitle')}, ${above} above your limit`}
        label={t`Save the words`}
        kbd={useKeyHint('sound.save')}
        off={sound.cues.length === 0 ? t`There are no words to save yet.` : undefined}
        onDo={() => saveSubtitles(board, sound)}
      />
    </>
  );
}

/** Reads SubRip or WebVTT into the shots; what cannot be read is told by line before anything is changed. */
function Import({ board, sound }: Pick<SoundPanelProps, 'board' | 'sound'>) {
  const [told, setTold] = useState<string[]>([]);
  const before = sound.subtitles.length;
  const read = async (chosen: File) => {
    const text = await textOfFile(chosen, MAX_SUBTITLE_FILE);
    if (!text.ok) return setTold([text.error.message]);
    const { cues, errors } = readSubtitles(text.data);
    const placed = placeCues(cues, sound.plan);
    const late = placed.leftOut.length;
    // Such as of a file whose first hour is 01, as broadcasters write it: the words that are there stay.
    const isNone = placed.byShot.size === 0;
    setTold([
      ...errors.slice(0, 5).map(({ line, message }) => t`Line ${line}: ${message}`),
      ...(errors.length > 5 ? [t`${errors.length - 5} more lines cannot be read.`] : []),
      ...(late > 0
        ? [t`${counted(late, 'subtitle')} after the end of the film ${inflected(late, 'was', 'were')} left out.`]
        : []),
      ...(isNone ? [t`None stands over the film: nothing was changed.`] : []),
    ]);
    if (isNone) return;
    const played = new Set(sound.shots.map(({ shot }) => shot.id));
    board.sync.edit(importedSubtitles(placed, played, () => crypto.randomUUID()));
    const taken = t`${counted(cues.length - late, 'subtitle')} imported`;
    announce(before > 0 ? t`${taken}, in the place of ${formatCount(before)}` : taken);
  };
  return (
    <>
      <FileButton
        label={t`File of subtitles`}
        accept=".srt,.vtt,text/vtt,application/x-subrip"
        onFiles={([file]) => void read(file)}
      >
        <Button
          variant="ghost"
          title={before > 0 ? t`In the place of the ${counted(before, 'subtitle')} of the film` : undefined}
        >
          {t`Import SRT, VTT`}
        </Button>
      </FileButton>
      {told.length > 0 && (
        <ErrorBox title={t`Not everything was read`} cures={[{ label: t`Close`, onCure: () => setTold([]) }]}>
          {told.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </ErrorBox>
      )}
    </>
  );
}

/** The files of the words beside an exported film, and whether they are drawn into it. */
export function WithTheFilm({ board, title }: Pick<SoundPanelProps, 'board'> & { title: string }) {
  const words = board.board?.words;
  const files = subtitleFilesOf(words);
  const set = (file: SubtitleFile, isOn: boolean) =>
    board.sync.editContent(patchWords({ files: isOn ? [...files, file] : files.filter((one) => one !== file) }));
  return (
    <Section title={title}>
      <div className="col gap-s">
        <Checkbox checked={files.includes('srt')} onChecked={(isOn) => set('srt', isOn)}>
          {t`SubRip, .srt`}
        </Checkbox>
        <Checkbox checked={files.includes('vtt')} onChecked={(isOn) => set('vtt', isOn)}>
          {t`WebVTT, .vtt`}
        </Checkbox>
        <Checkbox
          checked={words?.isBurntIn === true}
          onChecked={(isOn) => board.sync.editContent(patchWords({ isBurntIn: isOn ? true : undefined }))}
        >
          {t`Burnt into the picture`}
        </Checkbox>
        {words?.isBurntIn && <p className="t3">{t`Then the film is re-encoded. The takes stay clean.`}</p>}
      </div>
    </Section>
  );
}

/** The picture of the film in every export; until one is chosen, that of its first shot. */
function FilmPicture({ board }: Pick<SoundPanelProps, 'board'>) {
  if (!board.board) return null;
  const { aspectRatio, resolution, width, height } = filmFrameOf(board.board);
  const set = (patch: Parameters<typeof patchFormat>[0]) => board.sync.editContent(patchFormat(patch));
  return (
    <Section title={t`Picture of the film`} end={<span className="t3 num">{`${width} × ${height}`}</span>}>
      <div className="g2">
        <Segmented
          full
          small
          aria-label={t`Aspect of the film`}
          value={aspectRatio}
          onValue={(next) => set({ aspectRatio: next })}
          options={[
            { value: '16:9', label: '16:9' },
            { value: '9:16', label: '9:16' },
          ]}
        />
        <Segmented
          full
          small
          aria-label={t`Resolution of the film`}
          value={resolution}
          onValue={(next) => set({ resolution: next })}
          options={[
            { value: '720p', label: '720p' },
            { value: '1080p', label: '1080p' },
          ]}
        />
      </div>
    </Section>
  );
}
