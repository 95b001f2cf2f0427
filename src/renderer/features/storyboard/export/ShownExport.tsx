import { FileText, Folder, ListVideo, Table2, Trash2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Export, ExportedFile } from '../../../../shared/film/filmExport.ts';
import { isPlayMoney } from '../../../../shared/gateway/profile.ts';
import { summableJobs } from '../../../../shared/money/costPerKept.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { ActionButton, MoneyPlate, useAction, useNow, useSpendChord } from '../../../app/index.ts';
import { call, exportUrl, host } from '../../../client/index.ts';
import { FPS } from '../../../player/frames.ts';
import { type MediaFacts, MediaPlayer } from '../../../player/MediaPlayer.tsx';
import {
  Button,
  CheckGlyph,
  Confirm,
  DraftGlyph,
  EmptyState,
  ErrorBox,
  formatBytes,
  formatClockSeconds,
  formatSpan,
  Icon,
  IconButton,
  KeyValue,
  Panel,
  ProgressBar,
  ProgressRing,
  priceText,
  Refusal,
  SaveLink,
  Section,
} from '../../../ui/index.ts';
import { chargedOf, type ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import styles from './export.module.css';
import { type ExportStep, filesOf, formatWords, stepsOf } from './exportView.ts';
import { ENDED, showExport, useExportsView } from './useExports.ts';

/** A running export: its progress, and a button that stops it without asking. */
export function RunningPanel({ one, onLeave }: { one: Export; onLeave: () => void }) {
  const { refusal, run, isBusy: isCanceling } = useAction();
  const started = useExportsView((view) => view.started[one.id]);
  const cancel = () => void run(call('exports.cancel', { id: one.id }));
  return (
    <Panel label={t`Export`} className={styles.xPanel}>
      <div className="bar">
        <h2>{t`Exporting`}</h2>
        <span className="grow" />
        <Button variant="ghost" onClick={onLeave}>
          {t`New export`}
        </Button>
      </div>
      <div className="scroll">
        <Progress one={one} />
        <ol className="steps bottom-line">
          {stepsOf(one, started).map((step) => (
            <Step key={step.title} step={step} />
          ))}
        </ol>
      </div>
      <div className="sendbar">
        <Refusal text={refusal} />
        <div className="row">
          <ActionButton className="grow" action="page.leave" busy={isCanceling} onDo={cancel}>
            {t`Cancel export`}
          </ActionButton>
        </div>
      </div>
    </Panel>
  );
}

function Progress({ one }: { one: Export }) {
  const left = useTimeLeft(one);
  return (
    <Section>
      <div className="row">
        <span className="st running">
          <ProgressRing percent={one.progress} />
          <span>
            {[`${one.progress} %`, left !== undefined && t`${formatSpan(left)} left`].filter(Boolean).join(', ')}
          </span>
        </span>
      </div>
      <ProgressBar percent={one.progress} label={one.name} />
      <p className="t2 cut">{one.name}</p>
    </Section>
  );
}

const STEP_GLYPHS = { done: <CheckGlyph />, now: <ProgressRing />, waits: <DraftGlyph /> } as const;

function Step({ step: { title, state } }: { step: ExportStep }) {
  const tone = { done: '', now: 'st running', waits: 't3' }[state];
  return (
    <li className={tone} {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}>
      {STEP_GLYPHS[state]}
      <span className="grow">{title}</span>
    </li>
  );
}

/** No remaining time is shown below this percentage. */
const TOLD_AFTER = 3;

/** Milliseconds left, estimated from the progress since this page has been open. */
function useTimeLeft({ id, progress }: Export): number | undefined {
  const now = useNow(1_000);
  const [first, setFirst] = useState({ id, progress, at: now });
  if (first.id !== id) setFirst({ id, progress, at: now });
  const done = progress - first.progress;
  if (first.id !== id || done < TOLD_AFTER || now <= first.at) return undefined;
  return ((now - first.at) / done) * (100 - progress);
}

interface EndedPanelProps {
  board: BoardHandle;
  one: Export;
  onLeave: () => void;
}

/** A finished export: what was made and where it is, or why it failed. */
export function EndedPanel({ board, one, onLeave }: EndedPanelProps) {
  return (
    <Panel label={t`Export`} className={styles.xPanel}>
      <div className="bar">
        <h2>{one.state === 'running' ? t`Exporting` : ENDED[one.state]}</h2>
        <span className="grow" />
        {one.finishedAt !== undefined && <span className="t3">{formatClockSeconds(one.finishedAt)}</span>}
        <IconButton label={t`New export`} onClick={onLeave}>
          <Icon of={X} />
        </IconButton>
      </div>
      {one.state === 'done' ? <Done key={one.id} board={board} one={one} /> : <NotDone one={one} onLeave={onLeave} />}
    </Panel>
  );
}

function NotDone({ one, onLeave }: Omit<EndedPanelProps, 'board'>) {
  return (
    <>
      <div className="scroll">
        <Section>
          {one.state === 'failed' ? (
            <ErrorBox title={one.error ?? t`The export failed`} />
          ) : (
            <EmptyState title={t`Nothing was exported`}>{one.error}</EmptyState>
          )}
        </Section>
      </div>
      <div className="sendbar">
        <div className="row">
          <Button variant="primary" className="grow" onClick={onLeave}>
            {t`Export again`}
          </Button>
          <Remove one={one} />
        </div>
      </div>
    </>
  );
}

function Done({ board, one }: Omit<EndedPanelProps, 'onLeave'>) {
  const [facts, setFacts] = useState<MediaFacts>();
  const { film, beside, media } = filesOf(one);
  return (
    <>
      <div className="scroll">
        {film && (
          <div className="x-film">
            <MediaPlayer
              url={exportUrl(one.id, film.name)}
              mime={film.mime}
              name={film.name}
              fps={FPS}
              instead={<p role="status">{t`This file cannot be played here.`}</p>}
              onFacts={setFacts}
            />
          </div>
        )}
        <Section>
          <div className="row">
            <b className="grow cut">{film?.name ?? `${one.name}, ${formatWords(one)}`}</b>
            <span className="st">
              <CheckGlyph />
              <span>{t`Read back and checked`}</span>
            </span>
          </div>
          <KeyValue
            items={[
              [t`Length`, facts && lengthWords(facts.seconds)],
              [t`Size`, film && formatBytes(film.bytes)],
              [t`Picture`, facts && `${facts.width} × ${facts.height}`],
              [t`Made`, film && (one.mode === 'join' ? t`Film, joined` : t`Film, re-encoded`)],
              [t`Cost of the film`, <FilmCost key="cost" shots={board.shots} />],
            ]}
          />
          {one.why && <p className="t2 mt">{one.why}</p>}
        </Section>
        {(beside.length > 0 || media) && (
          <Section title={t`Files`}>
            <ul className={styles.files}>
              {beside.map((file) => (
                <FileLine key={file.name} id={one.id} file={file} />
              ))}
              {media && (
                <li className="row">
                  <Icon of={Folder} />
                  <span className="cut grow">{media.words}</span>
                  <span className="t2">{formatBytes(media.bytes)}</span>
                </li>
              )}
            </ul>
          </Section>
        )}
      </div>
      <DoneBar one={one} film={film} />
    </>
  );
}

function DoneBar({ one, film }: { one: Export; film: ExportedFile | undefined }) {
  const { run, refusal } = useAction();
  const reveal = () => void run(call('exports.reveal', { id: one.id }));
  const bar = useRef<HTMLDivElement>(null);
  const hint = useSpendChord(bar, reveal, { isMain: true });
  return (
    <div className="sendbar" ref={bar}>
      <span className="t2 cut" title={one.folder}>
        {one.folder.split(/[\\/]/).slice(-2).join('/')}
      </span>
      <Refusal text={refusal} />
      <div className="row">
        <Button variant="primary" className="grow" kbd={hint} onClick={reveal}>
          {t`Show in folder`}
        </Button>
        <Remove one={one} />
      </div>
      {film && host() === 'browser' && (
        <SaveLink href={exportUrl(one.id, film.name)} name={film.name}>
          {t`Save the film`}
        </SaveLink>
      )}
    </div>
  );
}

const FILE_ICONS: Record<string, typeof Table2> = { csv: Table2, fcpxml: ListVideo, otio: ListVideo, edl: ListVideo };

function FileLine({ id, file }: { id: string; file: ExportedFile }) {
  const end = file.name.split('.').at(-1) ?? '';
  return (
    <li className="row">
      <Icon of={FILE_ICONS[end] ?? FileText} />
      <a className="cut grow" href={exportUrl(id, file.name)} download={file.name}>
        {file.name}
      </a>
      <span className="t2">{formatBytes(file.bytes)}</span>
    </li>
  );
}

/** Removes the exported files; the library keeps its own. */
function Remove({ one }: { one: Export }) {
  const [isAsking, setAsking] = useState(false);
  const { run, refusal } = useAction();
  const bytes = one.files.reduce((sum, file) => sum + file.bytes, 0);
  const remove = async () => {
    setAsking(false);
    const answer = await run(call('exports.remove', { id: one.id }));
    if (answer.ok && one.projectId !== undefined) showExport(one.projectId, null);
  };
  return (
    <>
      <IconButton
        label={t`Remove the export`}
        onClick={() => (one.files.length === 0 ? void remove() : setAsking(true))}
      >
        <Icon of={Trash2} />
      </IconButton>
      <Refusal text={refusal} />
      <Confirm
        open={isAsking}
        actionLabel={t`Remove ${counted(one.files.length, 'file')}`}
        onConfirm={() => void remove()}
        onClose={() => setAsking(false)}
      >
        {t`${formatBytes(bytes)} in ${one.folder}. Changed files and the takes in the library are kept.`}
      </Confirm>
    </>
  );
}

/** The cost of all takes of the film so far; unconfirmed amounts are separate. */
export function FilmCost({ shots }: { shots: readonly ShotView[] }) {
  const takes = shots.flatMap((view) => view.takes);
  const { nano, lowNano, unpriced } = chargedOf(takes);
  // With one real take the amounts are real money, and exclude test money.
  const jobs = summableJobs(takes.flatMap(({ job }) => job ?? []));
  const unconfirmed = jobs.reduce((sum, { money }) => sum + money.uncertainNano, 0);
  const payer = jobs[0]?.profileId;
  return (
    <>
      {priceText(nano, lowNano, 'most', unpriced)}
      {payer !== undefined && isPlayMoney(payer) && nano + unconfirmed > 0 && (
        <>
          {' '}
          <MoneyPlate profileId={payer} />
        </>
      )}
      {unconfirmed > 0 && `, ${t`${formatNano(unconfirmed)} unconfirmed`}`}
    </>
  );
}

/** `0:31.00` */
function lengthWords(seconds: number): string {
  const whole = Math.floor(seconds / 60);
  return `${whole}:${(seconds - whole * 60).toFixed(2).padStart(5, '0')}`;
}
