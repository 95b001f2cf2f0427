import { TIMELINE_FORMATS, type TimelineFormat } from '../../../../shared/film/filmExport.ts';
import { type SubtitleFile, subtitleFilesOf } from '../../../../shared/film/subtitles/subtitleSettings.ts';
import { t } from '../../../../shared/text/texts.ts';
import { Checkbox, Field, formatBytes, plural, Section, Segmented } from '../../../ui/index.ts';
import { patchWords } from '../sound/soundEdits.ts';
import { type ExportPlan, hasDocuments } from './plan.ts';

const DOCUMENTS: Record<TimelineFormat, string> = {
  fcpxml: t`Timeline, FCPXML 1.10`,
  otio: t`Timeline, OTIO`,
  edl: t`Cut list, EDL`,
  csv: t`Shot list, CSV`,
};

/** What is exported with the film, all in one folder; the takes are in a media folder inside it. */
export function DocumentChoices({ plan: { board, choices, choose, sizes } }: { plan: ExportPlan }) {
  const set = (format: TimelineFormat, isOn: boolean) =>
    choose({ beside: TIMELINE_FORMATS.filter((one) => (one === format ? isOn : choices.beside.includes(one))) });
  const { takes, count } = sizes;
  const hasWords = board.shots.some(({ shot }) => !shot.skipped && (shot.subtitles ?? []).length > 0);
  return (
    <>
      <Section title={t`Also export`}>
        {TIMELINE_FORMATS.map((format) => (
          <Checkbox key={format} checked={choices.beside.includes(format)} onChecked={(isOn) => set(format, isOn)}>
            {DOCUMENTS[format]}
          </Checkbox>
        ))}
        {hasDocuments(choices) && (
          <div className="stack mt">
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
          </div>
        )}
      </Section>
      {hasWords && <Subtitles board={board} />}
    </>
  );
}

/** Subtitle files beside the exported film, and whether subtitles are drawn into it. */
function Subtitles({ board }: Pick<ExportPlan, 'board'>) {
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
