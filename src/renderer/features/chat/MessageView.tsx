import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useCallback, useRef, useState } from 'react';
import type { Message } from '../../../shared/chat/conversation.ts';
import { offersTools } from '../../../shared/chat/director/tools.ts';
import { type IncompleteReason, incompleteReason } from '../../../shared/chat/finish.ts';
import type { Job, ToolCall } from '../../../shared/jobs/job.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { copyText, navigate, OutcomeLine, useEntities, useJob } from '../../app/index.ts';
import {
  Boundary,
  type BoxAction,
  ErrorBox,
  formatClock,
  formatCount,
  Icon,
  JobStateGlyph,
  PriceTag,
  TextAction,
  UncertainBox,
} from '../../ui/index.ts';
import { BLOCK_WORDS, billSentence, STATE_WORDS } from '../../words/index.ts';
import { Drafts } from './Drafts.tsx';
import { InPieces } from './InPieces.tsx';
import { Markdown, Words } from './Markdown.tsx';
import {
  AnswerAgain,
  AnswerCalls,
  EditInPlace,
  GoOn,
  MessageActions,
  outcomeOf,
  VariantSwitch,
} from './MessageBranches.tsx';
import styles from './message.module.css';
import { ShownPictures } from './Pictures.tsx';
import { useOfThread } from './sending.ts';
import { useChat } from './state.ts';

interface MessageViewProps {
  message: Message;
  /** A cut-off answer, followed by its continuations. */
  parts: readonly Message[];
  onAgain: (message: Message) => void;
}

const areSame = (before: MessageViewProps, after: MessageViewProps): boolean =>
  before.onAgain === after.onAgain &&
  before.parts.length === after.parts.length &&
  before.parts.every((part, index) => part === after.parts[index]);

/** A message. Memoized, so that changes of other messages do not draw it again. */
export const MessageView = memo(function MessageView(props: MessageViewProps) {
  return (
    <Boundary of={props.message} instead={() => <Unshown message={props.message} />}>
      <WholeMessage {...props} />
    </Boundary>
  );
}, areSame);

/** Shown for a message that fails to render, as plain text, so that one message cannot break the page. */
const Unshown = ({ message: { text } }: { message: Message }) => (
  <article className={styles.msg}>
    <p className="t2">{t`This message could not be formatted. Its text:`}</p>
    <Words className={`${styles.body} ${styles.said}`} text={text} />
  </article>
);

function WholeMessage({ message, parts, onAgain }: MessageViewProps) {
  const last = parts.at(-1) ?? message;
  const asking = useChat((state) =>
    parts.some(({ id }) => id === state.asking?.messageId) ? state.asking?.ask : undefined,
  );
  const live = last.state === 'streaming' || last.state === 'waiting';
  const you = message.role === 'user';
  const latest = useRef(parts);
  latest.current = parts;
  const textNow = useCallback(() => textOf(latest.current), []);
  return (
    <article
      className={`${styles.msg} ${you ? styles.you : ''}`}
      aria-label={you ? t`You` : message.model}
      aria-busy={live}
      data-message={message.id}
      tabIndex={-1}
    >
      <Heading message={message} parts={parts} textNow={textNow} />
      {asking === 'edit' ? <EditInPlace message={message} /> : <Said parts={parts} />}
      <OutcomeLine place={outcomeOf(message.id)} />
      {parts.map((part) => part.toolCalls && part.toolCalls.length > 0 && <Called key={part.id} message={part} />)}
      <Ending message={last} onAgain={() => onAgain(message)} />
      {asking === 'regenerate' && <AnswerAgain message={message} />}
      {asking === 'continue' && <AnswerCalls message={last} />}
    </article>
  );
}

interface HeadingProps extends Pick<MessageViewProps, 'message' | 'parts'> {
  textNow: () => string;
}

const Heading = memo(function Heading({ message, parts, textNow }: HeadingProps) {
  const last = parts.at(-1) ?? message;
  const you = message.role === 'user';
  return (
    <div className={`row ${styles.who}`}>
      <b>{you ? t`You` : (message.model ?? t`Assistant`)}</b>
      <span className="t3">{formatClock(message.createdAt)}</span>
      <VariantSwitch message={message} />
      {!you && <Progress message={last} />}
      {textOf(parts) !== '' && (
        <TextAction className={styles.onHover} onClick={() => void copyText(textNow())}>
          {t`Copy`}
        </TextAction>
      )}
      <MessageActions message={message} last={last} />
      <span className="grow" />
      {!you && <Cost parts={parts} />}
    </div>
  );
}, haveSameHeading);

function haveSameHeading(before: HeadingProps, after: HeadingProps): boolean {
  if (before.parts.length !== after.parts.length) return false;
  return before.parts.every((part, index) => differsInWordsAlone(part, after.parts[index]));
}

/** Whether two messages differ only in their text, and neither or both have one. */
function differsInWordsAlone(before: Message, after: Message | undefined): boolean {
  if (before === after) return true;
  if (after === undefined || (before.text === '') !== (after.text === '')) return false;
  const names = Object.keys({ ...before, ...after }) as (keyof Message)[];
  return names.every((name) => name === 'text' || name === 'reasoning' || before[name] === after[name]);
}

const textOf = (parts: readonly Message[]): string => parts.map(({ text }) => text).join('');

function Said({ parts }: { parts: readonly Message[] }) {
  const [first] = parts;
  const text = textOf(parts);
  const isYours = first?.role === 'user';
  const made = isYours ? [] : parts.flatMap(({ pictures = [] }) => pictures);
  return (
    <>
      {parts.map(({ id, reasoning }) => reasoning && <Reasoning key={id} text={reasoning} />)}
      {isYours ? (
        <>
          <Words className={`${styles.body} ${styles.said}`} text={text} />
          {first.pictures && <ShownPictures pictures={first.pictures} />}
        </>
      ) : (
        <>
          <Markdown text={text} growing={parts.at(-1)?.state === 'streaming'} />
          {made.length > 0 && <ShownPictures pictures={made} isAnswer />}
        </>
      )}
    </>
  );
}

function Progress({ message }: { message: Message }) {
  const job = useJob(message.state === 'waiting' ? message.jobId : undefined);
  if (message.state === 'streaming') return <JobStateGlyph state="running">{t`Writing`}</JobStateGlyph>;
  if (message.state !== 'waiting') return null;
  const state = job?.state ?? 'queued';
  const why = job?.reason ? BLOCK_WORDS[job.reason].reason : STATE_WORDS[state];
  return <JobStateGlyph state={state}>{why}</JobStateGlyph>;
}

function Cost({ parts }: { parts: readonly Message[] }) {
  const ids = parts.flatMap(({ jobId }) => jobId ?? []);
  const nano = useSumOf(ids, ({ money }) => money.chargedNano);
  const lowNano = useSumOf(ids, ({ money }) => money.chargedLowNano ?? money.chargedNano);
  const unpriced = useSumOf(ids, ({ money }) => (money.unpriced ? 1 : 0));
  const input = parts.reduce((all, { usage }) => all + (usage?.promptTokens ?? 0), 0);
  const output = parts.reduce((all, { usage }) => all + (usage?.completionTokens ?? 0), 0);
  const elsewhere = parts.reduce((all, { costElsewhereNano = 0 }) => all + costElsewhereNano, 0);
  return (
    <>
      {input + output > 0 && (
        <span className={`t3 nums ${styles.tokens}`}>{t`${formatCount(input)} in, ${formatCount(output)} out`}</span>
      )}
      {(nano > 0 || (unpriced > 0 && parts.at(-1)?.state === 'done')) && (
        <PriceTag nano={nano} lowNano={lowNano} as="most" unpriced={unpriced} />
      )}
      {elsewhere > 0 && <span className="t3 nums">{t`${formatNano(elsewhere)} elsewhere`}</span>}
      {ids.map((id) => (
        <CostNote key={id} jobId={id} />
      ))}
    </>
  );
}

const ofJob = (job: Job | undefined, of: (job: Job) => number): number => (job ? of(job) : 0);

const useSumOf = (ids: readonly string[], of: (job: Job) => number): number =>
  useEntities(({ jobs }) => ids.reduce((all, id) => all + ofJob(jobs.get(id), of), 0));

function CostNote({ jobId }: { jobId: string }) {
  const note = useJob(jobId)?.money.note;
  if (!note) return null;
  return (
    <span className="t3 cut" title={note}>
      {note}
    </span>
  );
}

function Reasoning({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={`row ${styles.think}`} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon of={open ? ChevronDown : ChevronRight} />
        {t`Reasoning, ${counted(text.length, 'character')}`}
      </button>
      {open && <Words className={styles.reasoning} text={text} />}
    </>
  );
}

/** The calls of an answer: as drafts of the director, or unchanged if the director was not offered. */
function Called({ message }: { message: Message }) {
  const { toolCalls = [], toolResults } = message;
  if (!toolResults) return <ToolCalls calls={toolCalls} />;
  // An imported answer has no drafts here, only its calls.
  const isPlain = (index: number) => message.jobId === undefined || toolResults[index]?.name === 'read_board';
  const reads = toolCalls.filter((_, index) => isPlain(index) && !toolResults[index]?.error);
  return (
    <>
      {reads.length > 0 && <ToolCalls calls={reads} />}
      <Drafts message={message} />
    </>
  );
}

function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  return (
    <section className={styles.toolsCalled} aria-label={t`Tool calls`}>
      <h3 className="lab">{t`Tool calls`}</h3>
      {calls.map((toolCall) => (
        <details key={toolCall.id}>
          <summary className="row">
            <span className="mono">{toolCall.name}</span>
            <span className="t3 mono cut">{toolCall.arguments.slice(0, MOST_IN_LINE)}</span>
          </summary>
          <pre className="mono">
            <InPieces text={pretty(toolCall.arguments)} />
          </pre>
        </details>
      ))}
    </section>
  );
}

const MOST_IN_LINE = 300;
/** Arguments longer than this are not indented: deep nesting would multiply their length. */
const MOST_PRETTY = 20_000;

function pretty(json: string): string {
  if (json.length > MOST_PRETTY) return json;
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** How an answer ended if it did not complete. The text received so far is always kept. */
function Ending({ message, onAgain }: { message: Message; onAgain: () => void }) {
  const job = useJob(message.state === 'failed' || message.state === 'partial' ? message.jobId : undefined);
  const { error, state, jobId } = message;
  const again: BoxAction = { label: t`Edit and ask again`, onDo: onAgain };
  if (job?.state === 'uncertain' && jobId) {
    const resolve = <TextAction onClick={() => navigate('queue', { job: jobId })}>{t`Resolve in Queue`}</TextAction>;
    return (
      <UncertainBox title={t`No reply from the gateway`} actions={resolve}>
        {t`${error?.message} The answer may exist. Dailies did not send the request again; the text so far is kept.`}
      </UncertainBox>
    );
  }
  if (state === 'partial' || job?.state === 'canceled') return <CutShort message={message} job={job} />;
  if (state !== 'failed') return null;
  const settings: BoxAction = { label: t`Open settings`, onDo: () => navigate('settings') };
  const actions = error?.kind === 'auth' ? [settings, again] : [again];
  return (
    <ErrorBox title={error?.message ?? t`No answer`} actions={actions}>
      {error?.requestId && (
        <>
          {t`Request`} <span className="mono">{error.requestId}</span>.{' '}
        </>
      )}
      {job && billSentence(job.money)}
    </ErrorBox>
  );
}

function CutShort({ message, job }: { message: Message; job: Job | undefined }) {
  const { state, error, text, pictures, finishReason } = message;
  const isCanceled = job?.state === 'canceled';
  const cut = state === 'partial' && !error && !isCanceled ? incompleteReason(finishReason) : undefined;
  const mayDraft = useOfThread((thread) => offersTools(thread?.conversation));
  // Results of calls are answered first: a continuation would otherwise be requested with other messages than these.
  const goesOn = cut === 'length' && text !== '' && message.jobId !== undefined && !(message.toolResults && mayDraft);
  const isUnconfirmed = job !== undefined && job.money.uncertainNano > 0;
  const why = error && !isCanceled ? t`Cut off: ${error.message}` : t`Stopped by you.`;
  const rest = text !== '' ? t`The text so far is kept.` : pictures && t`The pictures so far are kept.`;
  return (
    <>
      <p className={`t2 ${styles.ended}`} role="status">
        {[cut ? CUT_WORDS[cut] : why, rest, isUnconfirmed && billSentence(job.money)].filter(Boolean).join(' ')}
      </p>
      {goesOn && <GoOn message={message} />}
    </>
  );
}

const CUT_WORDS: Record<IncompleteReason, string> = {
  length: t`Cut off at the gateway’s length limit.`,
  failure: t`The gateway could not finish the answer.`,
  filter: t`Cut off by the gateway’s content filter.`,
};
