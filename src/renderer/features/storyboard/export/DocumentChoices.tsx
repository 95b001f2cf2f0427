import { shotTitle } from '../../../../shared/board.ts';
import { MEDIA_NAME_PATTERN, TIMELINE_FORMATS, type TimelineFormat } from '../../../../shared/filmExport.ts';
import { mediaNameOf } from '../../../../shared/mediaName.ts';
import { t } from '../../../../shared/texts.ts';
import { Checkbox, Field, formatBytes, plural, Section, Segmented, TextAction, TextInput } from '../../../ui/index.ts';
import { seedOf } from '../model/take.ts';
import type { ShotView } from '../model/view.ts';
import { WithTheFilm } from '../sound/WordsPanel.tsx';
import { hasDocuments } from './choices.ts';
import styles from './export.module.css';
import type { ExportPanelProps } from './exportProps.ts';
import { sizesOf } from './sizes.ts';

const DOCUMENTS: Record<TimelineFormat, { label: string; what: string }> = {
  fcpxml: { label: t`Timeline, FCPXML 1.10`, what: t`Cuts, names, takes and ratings.` },
  otio: { label: t`Timeline, OTIO`, what: t`The same, for other editors.` },
  edl: { label: t`Cut list, EDL`, what: t`CMX 3600: cuts and names alone.` },
  csv: { label: t`Shot list, CSV`, what: t`Prompt, seed, model, take, length, charged and unconfirmed cost.` },
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
          <div key={format} className={styles.xadd}>
            <Checkbox checked={choices.beside.includes(format)} onChecked={(isOn) => set(format, isOn)}>
              <b>{DOCUMENTS[format].label}</b>
            </Checkbox>
            <span className="t2">{DOCUMENTS[format].what}</span>
          </div>
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
      {hasWords && <WithTheFilm board={board} title={t`Subtitles`} />}
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
            <TextAction onClick={() => choose({ names: MEDIA_NAME_PATTERN })}>{t`As usual`}</TextAction>
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
