import type { ChatResult, Usage } from '../../../../shared/job.ts';
import type { ChatDelta } from '../types.ts';
import { explicitFault, type Fault, faultOf } from './fault.ts';
import { field, isObject, type Json, type JsonObject, listOf, textOf } from './json.ts';
import { createThinkSplitter } from './think.ts';
import { createToolCallAssembly } from './toolCalls.ts';

/**
 * Puts a chat answer together from its pieces. A whole JSON answer is one piece; a stream is many. Whatever way it came, the
 * deltas handed out join to exactly the text and the reasoning of the result.
 */
export interface ChatAssembly {
  push(piece: Json, eventName?: string): void;
  /** `[DONE]`. */
  done(): void;
  /** No more will come: hands out what was held back. */
  end(): void;
  state(): ChatState;
}

export interface ChatState {
  result: ChatResult;
  /** `[DONE]` or a finish reason has come. */
  finished: boolean;
  /** At least one piece was a chat answer. */
  started: boolean;
  fault?: Fault;
  /** The service's id of the answer. */
  id?: string;
}

/** Where an answer keeps its choices: at the top or in a wrapper. */
export function choicesIn(body: Json): { holder: JsonObject; choices: Json[] } | undefined {
  for (const holder of [
    body,
    field(body, 'data'),
    field(body, 'result'),
    field(body, 'response'),
    field(body, 'output'),
  ]) {
    const choices = field(holder, 'choices');
    if (isObject(holder) && Array.isArray(choices)) return { holder, choices };
  }
  return undefined;
}

export function createChatAssembly(onDelta: (delta: ChatDelta) => void): ChatAssembly {
  const state: ChatState = { result: { text: '', finishReason: '' }, finished: false, started: false };
  const calls = createToolCallAssembly();
  let spoke = false;
  const say = (channel: ChatDelta['channel'], text: string): void => {
    if (text === '') return;
    if (channel === 'text') state.result.text += text;
    else state.result.reasoning = (state.result.reasoning ?? '') + text;
    onDelta({ channel, text });
  };
  const splitter = createThinkSplitter(
    (text) => say('text', text),
    (text) => say('reasoning', text),
  );

  const takeChoice = (choice: JsonObject): void => {
    // A last chunk may repeat the whole message: it counts only where nothing was said before.
    const whole = spoke ? undefined : field(choice, 'message');
    const said =
      field(choice, 'delta') ??
      whole ??
      (textOf(field(choice, 'text')) ? { content: field(choice, 'text') ?? '' } : undefined);
    say('reasoning', reasoningOf(said));
    const content = contentOf(field(said, 'content') ?? field(said, 'refusal'));
    say('reasoning', content.reasoning);
    splitter.push(content.text);
    spoke ||= content.text !== '';
    calls.push(field(said, 'toolCalls'));
    const oldCall = field(said, 'functionCall');
    if (oldCall) calls.push([{ index: 0, function: oldCall }]);
    const reason = textOf(field(choice, 'finishReason'));
    if (reason === undefined) return;
    state.finished = true;
    state.result.finishReason = reason;
    if (reason === 'error') state.fault ??= faultOf(field(choice, 'error') ?? choice);
  };

  return {
    push(piece, eventName) {
      const fault = eventName === 'error' ? faultOf(piece) : explicitFault(piece);
      if (fault) state.fault ??= fault;
      const found = choicesIn(piece);
      const choice = listOf(found?.choices).find((entry) => isObject(entry) && (field(entry, 'index') ?? 0) === 0);
      if (isObject(choice)) takeChoice(choice);
      state.started ||= found !== undefined;
      state.id ??= textOf(field(found?.holder, 'id'));
      state.result.usage = usageOf(piece, choice) ?? state.result.usage;
    },
    done() {
      state.finished = true;
    },
    end: () => splitter.end(),
    state() {
      const toolCalls = calls.result();
      if (toolCalls.length > 0) state.result.toolCalls = toolCalls;
      return state;
    },
  };
}

/** `reasoning_content` and `reasoning` may both be there and say the same. */
function reasoningOf(said: Json | undefined): string {
  for (const name of ['reasoningContent', 'reasoning', 'thinking']) {
    const value = field(said, name);
    const text = typeof value === 'string' ? value : contentOf(field(value, 'content', 'text')).text;
    if (text !== '') return text;
  }
  return '';
}

/** A content is a text or a list of parts. */
function contentOf(content: Json | undefined): { text: string; reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' };
  const parts = isObject(content) ? [content] : listOf(content);
  let text = '';
  let reasoning = '';
  for (const part of parts) {
    const thinks = /think|reason/i.test(textOf(field(part, 'type')) ?? '');
    const value = typeof part === 'string' ? part : field(part, 'text', 'thinking', 'reasoning', 'content', 'refusal');
    const said =
      typeof value === 'string' ? value : contentOf(Array.isArray(value) ? value : field(value, 'value', 'text')).text;
    if (thinks) reasoning += said;
    else text += said;
  }
  return { text, reasoning };
}

/** The last one wins: some services send it with every chunk. */
function usageOf(piece: Json, choice: Json | undefined): Usage | undefined {
  const usage = field(piece, 'usage') ?? field(field(piece, 'data'), 'usage') ?? field(choice, 'usage');
  if (!isObject(usage)) return undefined;
  const prompt = countOf(field(usage, 'promptTokens', 'inputTokens'));
  const completion = countOf(field(usage, 'completionTokens', 'outputTokens'));
  const total = countOf(field(usage, 'totalTokens'));
  if (prompt === undefined && completion === undefined) return undefined;
  const promptTokens = prompt ?? Math.max(0, (total ?? 0) - (completion ?? 0));
  const completionTokens = completion ?? Math.max(0, (total ?? 0) - promptTokens);
  return { promptTokens, completionTokens, totalTokens: total ?? promptTokens + completionTokens };
}

function countOf(value: Json | undefined): number | undefined {
  const count = Number(textOf(value) ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
