import { incompleteReason } from '../../../../shared/chat/finish.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type ChatForm, chatBody } from '../../../../shared/wire/chat.ts';
import { withExtra } from '../../../../shared/wire/extra.ts';
import { CHAT_PATH } from '../../../../shared/wire/headers.ts';
import { errorOnlyBody } from '../errors/classify.ts';
import {
  bodyError,
  gatewayError,
  httpError,
  submitError,
  transportError,
  unreadableError,
  unreadableFile,
} from '../errors/gatewayError.ts';
import type { ServiceError } from '../errors/serviceError.ts';
import { type Answer, requestIdOf } from '../exchange/answer.ts';
import { echoOf, textsIn, withoutEcho } from '../exchange/echo.ts';
import { type Exchange, HEADER_MS, submitRequest, wireUri } from '../exchange/request.ts';
import { MAX_LIST_VALUES } from '../json/parse.ts';
import { isRefusedAsInvalid, refused, retryWithNextSpelling, statedCost, withStated } from '../outcomes/outcome.ts';
import type { Service } from '../service.ts';
import type { ChatDelta, ChatOutcome, ChatSubmitRequest, GatewayError, RemoteOutput, SendOptions } from '../types.ts';
import { ChatAssembly, type ChatState } from './assembly.ts';
import type { PictureSink } from './pictures.ts';

/**
 * Parts of a tool call that only the model behind it understands: `reasoning_content` (api-docs.deepseek.com/guides/thinking_mode),
 * `thought_signature` (ai.google.dev/gemini-api/docs/thought-signatures), and ids that hold a signature, which are too long for OpenAI and
 * contain characters that Anthropic refuses (BerriAI/litellm#16895, #27873). Another model may refuse them, or refuse calls that lack its
 * own. After such a refusal the calls are sent as text.
 */
const NAMES_THEM =
  /reasoning_content|thought_?signature|extra_content|\btool_calls\[\d{1,4}\]\.id\b|\btool[_ ]call[_ ]id\b|\btool_use[._]id\b|\btoolUseId\b/i;

type Message = ChatSubmitRequest['messages'][number];

const TOLD = 'You called these tools, and this is what they answered:';

/** The messages with their tool calls and results as plain text, because a later message may ask about any of them. */
function inWords(messages: readonly Message[]): Message[] {
  return messages.flatMap((message, at) => {
    if (message.toolCallId !== undefined) return [];
    if (!message.toolCalls) return [message];
    const { toolCalls, reasoning: _, ...words } = message;
    const behind = messages.slice(at + 1);
    const told = toolCalls.map(({ id, name, arguments: text }) => `${name} ${text}\n${resultOf(id, behind)}`);
    const result: Message = { role: 'user', content: [TOLD, ...told].join('\n\n') };
    return words.content.trim() === '' ? [result] : [words, result];
  });
}

/** The search ends at the next call with this id, because a later answer may use the same id. */
function resultOf(id: string, behind: readonly Message[]): string {
  const next = behind.find(
    ({ toolCallId, toolCalls }) => toolCallId === id || toolCalls?.some((call) => call.id === id),
  );
  return next?.toolCallId === undefined ? '' : next.content;
}

const ANSWER_LIMIT = 32 * 1024 * 1024;
/** After its finish reason, a stream has only its usage left to send. */
const AFTER_FINISH_MS = 15_000;

/** Sends a chat request and emits its text as it arrives (spec 4.1), whether the answer is a stream or one JSON document. */
export async function chat(
  service: Service,
  request: ChatSubmitRequest,
  send: SendOptions,
  onDelta: (delta: ChatDelta) => void,
  onPicture: (output: RemoteOutput) => void = () => undefined,
): Promise<ChatOutcome> {
  const asksForUsage = request.stream && service.memory().noStreamOptions !== true;
  const first: Spelling = { asksForUsage, areCallsInWords: false };
  const { outcome } = await retryWithNextSpelling(send, {
    first,
    nameOf: (spelling) => JSON.stringify(spelling),
    submit: ({ asksForUsage, areCallsInWords }) => {
      const own = areCallsInWords ? { ...request, messages: inWords(request.messages) } : request;
      return attempt(service, own, { send, onDelta, onPicture }, asksForUsage);
    },
    next(refusal, sent) {
      if (!isRefusedAsInvalid(refusal.outcome)) return undefined;
      if (sent.asksForUsage && refusesStreamOptions(refusal)) return { ...sent, asksForUsage: false };
      const isAboutCalls = NAMES_THEM.test(refusal.answerText) && request.messages.some(({ toolCalls }) => toolCalls);
      return isAboutCalls ? { ...sent, areCallsInWords: true } : undefined;
    },
    learn(taken) {
      if (first.asksForUsage && !taken.asksForUsage) service.learn({ noStreamOptions: true }, 'refused');
    },
  });
  return outcome;
}

interface Spelling {
  asksForUsage: boolean;
  areCallsInWords: boolean;
}

interface Attempt {
  outcome: ChatOutcome;
  answerText: string;
}

const refusesStreamOptions = ({ answerText }: Attempt): boolean => /stream_?options|include_?usage/i.test(answerText);

interface Parts extends Pick<PictureSink, 'onPicture'> {
  send: SendOptions;
  onDelta(delta: ChatDelta): void;
}

async function attempt(
  service: Service,
  request: ChatSubmitRequest,
  { send, onDelta, onPicture }: Parts,
  askForUsage: boolean,
): Promise<Attempt> {
  const form = await readChatForm(request).catch(() => undefined);
  if (!form) return { outcome: refused(unreadableFile(service, 'A picture of this chat')), answerText: '' };
  const body = withExtra(chatBody(form, askForUsage), service.profile, request.model);
  const context = { base: service.profile.baseUrl, isEcho: echoOf(textsIn(body)).has };
  const assembly = new ChatAssembly(onDelta, { context, onPicture });
  const exchange = await submitRequest(service, {
    path: CHAT_PATH,
    body,
    headerMs: request.stream ? HEADER_MS.stream : HEADER_MS.chat,
    send,
    read: {
      limit: ANSWER_LIMIT,
      values: MAX_LIST_VALUES,
      onEvent(event, control) {
        if (!assembly.takeEvent(event) || assembly.full()) control.stop();
        else if (assembly.finished()) control.allowIdle(AFTER_FINISH_MS);
      },
    },
  });
  if (exchange.answer?.form === 'json' && exchange.answer.status < 300) assembly.push(exchange.answer.json ?? null);
  assembly.end();
  return {
    outcome: outcomeOf(service, exchange, assembly.state()),
    answerText: withoutEcho(exchange.answer?.text ?? '', exchange.answer?.sent ?? []),
  };
}

/** With the bytes of each picture that is a file here, since a link to it may need an account. */
async function readChatForm({ messages, ...rest }: ChatSubmitRequest): Promise<ChatForm> {
  const read = messages.map(async ({ pictures, ...message }) =>
    pictures
      ? { ...message, pictures: await Promise.all(pictures.map((picture) => wireUri(picture, false))) }
      : message,
  );
  return { ...rest, messages: await Promise.all(read) };
}

function outcomeOf(service: Service, exchange: Exchange, state: ChatState): ChatOutcome {
  if (exchange.failure) return refused(transportError(service, exchange.failure));
  const { answer } = exchange;
  const refusal = httpError(service, answer);
  const ended = (error: GatewayError) => withStated(refused(error), answer, [answer.json ?? state.usageChunk]);
  if (refusal) return ended(refusal);
  const { text, reasoning, toolCalls, pictures } = state.result;
  const hasContent = text !== '' || (reasoning ?? toolCalls ?? pictures) !== undefined;
  if (state.serviceError && !hasContent) return ended(submitError(service, answer, state.serviceError));
  if (!state.started || (!hasContent && !state.finished && answer.form === 'json')) {
    const errorOnly = answer.truncatedBy ? undefined : errorOnlyBody(answer.json, answer.sent);
    return ended(errorOnly ? submitError(service, answer, errorOnly) : unreadableError(service, answer));
  }
  if (!hasContent) state.serviceError ??= errorOfEmpty(state.result.finishReason);
  return answered(service, answer, state);
}

/** Why nothing came, if the finish reason says so. */
function errorOfEmpty(finishReason: string): ServiceError | undefined {
  const cut = incompleteReason(finishReason);
  if (cut === 'filter') return FILTERED_OUT;
  return cut === 'failure' ? { message: '', codes: [finishReason] } : undefined;
}

const FILTERED_OUT: ServiceError = { message: t`The gateway filtered the result.`, codes: ['content_filter'] };

function answered(service: Service, answer: Answer, state: ChatState): ChatOutcome {
  const complete =
    state.serviceError === undefined &&
    !state.tooLong &&
    (state.finished || (answer.form === 'json' && !answer.truncatedBy));
  const requestId = requestIdOf(answer.headers, answer.json);
  const stated = statedCost(answer.headers, answer.json ?? state.usageChunk);
  const error = complete ? undefined : truncationError(service, answer, state);
  const finishReason =
    state.result.finishReason || (complete ? (state.result.toolCalls ? 'tool_calls' : 'stop') : 'cut');
  return {
    type: 'answered',
    result: { ...state.result, finishReason },
    complete,
    ...(state.id === undefined ? {} : { remoteId: state.id }),
    ...(error ? { error } : {}),
    ...(requestId === undefined ? {} : { requestId }),
    ...(stated ? { stated } : {}),
  };
}

const TOO_LONG = t`The answer was cut off.`;

function truncationError(service: Service, answer: Answer, state: ChatState): GatewayError {
  if (state.serviceError) return bodyError(service, answer, state.serviceError, 'yes');
  if (state.tooLong)
    return gatewayError(service, { kind: 'server', message: TOO_LONG, accepted: 'yes', retryable: false });
  const { kind, message } = answer.truncatedBy ?? { kind: 'network', message: t`The answer was cut off.` };
  return gatewayError(service, { kind, message, accepted: 'yes', status: answer.status });
}
