import { shotTitle } from '../../../../shared/board/board.ts';
import { MEDIA_NAME_PATTERN, TIMELINE_FORMATS, type TimelineFormat } from '../../../../shared/film/filmExport.ts';
import { type SubtitleFile, subtitleFilesOf } from '../../../../shared/film/subtitles/filmWords.ts';
import { mediaNameOf } from '../../../../shared/library/mediaName.ts';
import { t } from '../../../../shared/text/texts.ts';
import { Checkbox, Field, formatBytes, plural, Section, Segmented, TextAction, TextInput } from '../../../ui/index.ts';
import { seedOf } from '../model/take.ts';
import type { ShotView } from '../model/view.ts';
import { patchWords } from '../sound/soundEdits.ts';
import { hasDocuments } from './choices.ts';
import styles from './export.module.css';
import type { ExportPanelProps } from './exportProps.ts';
import { sizesOf } from './sizes.ts';

const DOCUMENTS: Record<TimelineFormat, string> = {
  fcpxml: t`Timeline, FCPXML 1.10`,
  otio: t`Timeline, OTIO`,
  edl: t`Cut list, EDL`,
  csv: t`Shot list, CSV`,
};

/** What goes with the film, all of it in one folder; the takes lie in a media folder beside it. */
export function DocumentChoices(props: ExportPanelProps & { project: string }) {
  const { board, preflight, choices, choose, way } = props;
  const set = (format: TimelineFormat, isOn: boolean) =>
    choose({ beside: TIMELINE_FORMATS.filter((one) => (one === format ? isOn : choices.beside.includes(one))) });
  const { takes, count } = sizesOf(board, preflight, choices, way);
  const hasWords = board.shots.some(({ shot }) => !shot.skipped && (shot.subtitles ?? []).length > 0);
  return (
    <>
      <Section title={t`With it`}>
        {TIMELINE_FORMATS.map((format) => (
          <Checkbox key={format} checked={choices.beside.includes(format)} onChecked={(isOn) => set(format, isOn)}>
            {DOCUMENTS[format]}
          </Checkbox>
        ))}
        {hasDocuments(choices) && (
          <div className={styles.xMedia}>
            <Field
              label={t`Media folder`}
              hint={
                choices.media === 'copies' ? `${plural(count, 'file')}, ${formatBytes(takes)}` : plural(count, 'link')
              }
            >
              <Segmented
                full
                small
                value={choices.media}
                onValue={(media) => choose({ media })}
                options={[
                  { value: 'copies', label: t`Copies` },
                  { value: 'links', label: t`Links` },
                ]}
              />
            </Field>
            <NamePattern {...props} />
          </div>
        )}
      </Section>
      {hasWords && <Subtitles board={board} />}
    </>
  );
}

/** The pattern of the media names, with what it makes of the film's shots. */
function NamePattern({ board, choices, choose, project }: ExportPanelProps & { project: string }) {
  const { names } = choices;
  const shown = board.shots.filter(({ shot, active }) => !shot.skipped && active?.clip).slice(0, 2);
  return (
    <>
      <Field
        label={t`Names`}
        hint={
          names !== MEDIA_NAME_PATTERN && (
            <TextAction onClick={() => choose({ names: MEDIA_NAME_PATTERN })}>{t`Default`}</TextAction>
          )
        }
        error={names.trim() === '' ? t`Names in the media folder: must not be empty.` : undefined}
      >
        <TextInput mono value={names} onValue={(next) => choose({ names: next })} maxLength={200} />
      </Field>
      <p className={`t3 ${styles.preview}`} aria-live="polite">
        {shown.map((view) => `${nameOf(names, view, project)}.mp4`).join(', ')}
        {board.shots.length > shown.length && shown.length > 0 ? ' …' : ''}
      </p>
      <p className="t3">
        {t`{project} {title} {model} {seed}; digits count: {030} is the shot in tens, {02} the take.`}
      </p>
    </>
  );
}

const nameOf = (pattern: string, { shot, number, active }: ShotView, project: string): string =>
  mediaNameOf(pattern, {
    project,
    title: shotTitle(shot),
    model: active?.job?.model ?? shot.model,
    seed: seedOf(active),
    shot: number,
    take: active?.number ?? 0,
  });

/** The files of the words beside an exported film, and whether they are drawn into it. */
function Subtitles({ board }: Pick<ExportPanelProps, 'board'>) {
  const words = board.board?.words;
  const files = subtitleFilesOf(words);
  const set = (file: SubtitleFile, isOn: boolean) =>
    board.sync.editContent(patchWords({ files: isOn ? [...files, file] : files.filter((one) => one !== file) }));
  return (
    <Section title={t`Subtitles`}>
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
      </div>
    </Section>
  );
}
