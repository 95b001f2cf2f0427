import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useState } from 'react';
import type { Message } from '../../../shared/conversation.ts';
import { type Cut, cutOf } from '../../../shared/finish.ts';
import type { ToolCall } from '../../../shared/job.ts';
import { announce, navigate, useJob } from '../../app/index.ts';
import {
  type Cure,
  DoubtBox,
  ErrorBox,
  formatClock,
  formatCount,
  Icon,
  JobStateGlyph,
  PriceTag,
  plural,
  TextAction,
} from '../../ui/index.ts';
import { BLOCK_WORDS, billSentence, STATE_WORDS } from '../../words/index.ts';
import { Markdown, Words } from './Markdown.tsx';

interface MessageViewProps {
  message: Message;
  onAgain: (message: Message) => void;
}

/** One message: who, when, what it cost, its reasoning apart, its text, its tool calls, how it ended. */
export const MessageView = memo(function MessageView({ message, onAgain }: MessageViewProps) {
  const live = message.state === 'streaming' || message.state === 'waiting';
  const you = message.role === 'user';
  return (
    <article className={`msg ${you ? 'you' : ''}`} aria-label={you ? 'You' : message.model} aria-busy={live}>
      <div className="who">
        <b>{you ? 'You' : (message.model ?? 'Assistant')}</b>
        <span className="t3">{formatClock(message.createdAt)}</span>
        {!you && <Progress message={message} />}
        {message.text !== '' && (
          <TextAction className="on-hover" onClick={() => void copy(message.text)}>
            Copy
          </TextAction>
        )}
        <span className="grow" />
        {!you && <Cost message={message} />}
      </div>
      {message.reasoning && <Reasoning text={message.reasoning} live={live && message.text === ''} />}
      {you ? (
        <Words className="body said" text={message.text} />
      ) : (
        <Markdown text={message.text} growing={message.state === 'streaming'} />
      )}
      {message.toolCalls && message.toolCalls.length > 0 && <ToolCalls calls={message.toolCalls} />}
      <Ending message={message} onAgain={() => onAgain(message)} />
    </article>
  );
});

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  announce('Copied the message');
}

function Progress({ message }: { message: Message }) {
  const job = useJob(message.state === 'waiting' ? message.jobId : undefined);
  if (message.state === 'streaming') return <JobStateGlyph state="running">writing</JobStateGlyph>;
  if (message.state !== 'waiting') return null;
  const state = job?.state ?? 'queued';
  const why = job?.reason ? BLOCK_WORDS[job.reason].short : STATE_WORDS[state].word;
  return <JobStateGlyph state={state}>{why.charAt(0).toLowerCase() + why.slice(1)}</JobStateGlyph>;
}

function Cost({ message }: { message: Message }) {
  const job = useJob(message.jobId);
  const { usage } = message;
  const money = job?.money;
  return (
    <>
      {usage && (
        <span className="t3 nums">
          {formatCount(usage.promptTokens)} in, {formatCount(usage.completionTokens)} out
        </span>
      )}
      {money && (money.chargedNano > 0 || (money.unpriced && message.state === 'done')) && (
        <PriceTag nano={money.chargedNano} lowNano={money.chargedLowNano} unpriced={money.unpriced ? 1 : 0} />
      )}
      {money?.note && (
        <span className="t3 cut" title={money.note}>
          {money.note}
        </span>
      )}
    </>
  );
}

function Reasoning({ text, live }: { text: string; live: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="think" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon of={open ? ChevronDown : ChevronRight} />
        {live ? 'Reasoning' : 'Reasoned'}, {plural(text.length, 'character')}
      </button>
      {open && <Words className="reasoning" text={text} />}
    </>
  );
}

function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  return (
    <section className="tools-called" aria-label="Tool calls">
      <h3 className="lab">Tool calls</h3>
      {calls.map((toolCall) => (
        <details key={toolCall.id}>
          <summary className="row">
            <span className="mono">{toolCall.name}</span>
            <span className="t3 mono cut">{toolCall.arguments}</span>
          </summary>
          <pre className="mono">{pretty(toolCall.arguments)}</pre>
        </details>
      ))}
    </section>
  );
}

/** Above this, indenting what nests deep would make far more of it than came. */
const MOST_PRETTY = 20_000;

function pretty(json: string): string {
  if (json.length > MOST_PRETTY) return json;
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** How an answer ended, where that is not simply well; what had come is always kept. */
function Ending({ message, onAgain }: { message: Message; onAgain: () => void }) {
  const job = useJob(message.state === 'failed' || message.state === 'partial' ? message.jobId : undefined);
  const { error, state, jobId } = message;
  const again: Cure = { label: 'Put the message back into the box', onCure: onAgain };
  if (job?.state === 'uncertain' && jobId) {
    const resolve = <TextAction onClick={() => navigate('queue', { job: jobId })}>Resolve it in the queue</TextAction>;
    return (
      <DoubtBox title="The answer may have been made" actions={resolve}>
        {error?.message} It was not sent again; what had come is kept.
      </DoubtBox>
    );
  }
  const isCanceled = job?.state === 'canceled';
  if (state === 'partial' || isCanceled) return <CutShort message={message} isCanceled={isCanceled} />;
  if (state !== 'failed') return null;
  const settings: Cure = { label: 'Open settings', onCure: () => navigate('settings') };
  const cures = error?.kind === 'auth' ? [settings, again] : [again];
  return (
    <ErrorBox title={error?.message ?? 'No answer came'} cures={cures}>
      {error?.requestId && (
        <>
          Request <span className="mono">{error.requestId}</span>.{' '}
        </>
      )}
      {job && billSentence(job.money)}
    </ErrorBox>
  );
}

/** Why a part of an answer is all there is. */
function CutShort({
  message: { state, error, text, finishReason },
  isCanceled,
}: {
  message: Message;
  isCanceled: boolean;
}) {
  const cut = state === 'partial' && !error && !isCanceled ? cutOf(finishReason) : undefined;
  const why = error && !isCanceled ? `Cut off: ${error.message}` : 'Stopped by you.';
  const rest = text === '' ? 'Nothing had come yet.' : 'What had come is kept.';
  return (
    <p className="t2 ended" role="status">
      {cut ? CUT_WORDS[cut] : `${why} ${rest}`}
    </p>
  );
}

const CUT_WORDS: Record<Cut, string> = {
  length: 'Cut off: the answer is as long as the service lets it be. What had come is kept.',
  failure: 'Cut off: the service could not go on with the answer. What had come is kept.',
  filter: 'Cut off: a content filter of the service ended the answer. What had come is kept.',
};
