import { t } from '../text/texts.ts';

/** Why an answer is incomplete. */
export type IncompleteReason = 'length' | 'filter' | 'failure';

interface FinishReason {
  /** Compared by letters, without case and separators. */
  reason: string;
  cut: IncompleteReason;
  source: string;
  /** `file: name` of a case in `test/fixtures/answers`. */
  fixture: string;
}

const GROUPS: readonly (readonly [cut: IncompleteReason, source: string, reasons: string])[] = [
  ['length', 'developers.openai.com: chat completions, responses', 'length max_output_tokens'],
  ['length', 'platform.claude.com/docs: stop reasons', 'max_tokens model_context_window_exceeded'],
  ['length', 'docs.mistral.ai/api: chat completions', 'model_length'],
  ['filter', 'developers.openai.com: chat completions', 'content_filter'],
  ['filter', 'docs.aws.amazon.com/bedrock: Converse, stopReason', 'content_filtered guardrail_intervened'],
  ['filter', 'ai.google.dev/api/generate-content: FinishReason', 'SAFETY PROHIBITED_CONTENT BLOCKLIST SPII RECITATION'],
  [
    'filter',
    'ai.google.dev/api/generate-content: FinishReason',
    'IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION',
  ],
  ['filter', 'docs.bigmodel.cn: chat completions', 'sensitive'],
  ['filter', 'mistral.ai, as a program on GitHub translates its finish reasons', 'moderation'],
  ['filter', 'platform.claude.com/docs: stop reasons', 'refusal'],
  ['failure', 'api-docs.deepseek.com: chat completions', 'insufficient_system_resource'],
  ['failure', 'docs.bigmodel.cn: chat completions', 'network_error'],
  ['failure', 'github.com/vllm-project/vllm: #57082; github.com/sgl-project/sglang: #6693', 'abort'],
  ['failure', 'ai.google.dev/api/generate-content: FinishReason', 'MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL'],
  ['failure', 'github.com/Wei-Shaw/sub2api: Gemini in the form of OpenAI', 'function_call_filter'],
];

/** Finish reasons of chat services for an incomplete answer. */
export const FINISH_REASONS: readonly FinishReason[] = GROUPS.flatMap(([cut, source, reasons]) =>
  reasons.split(' ').map((reason) => ({ reason, cut, source, fixture: `finish-reasons: ${reason}` })),
);

const lettersOf = (reason: string): string => reason.toLowerCase().replace(/[^a-z]/g, '');

const cutBy = (reason: string): IncompleteReason | undefined =>
  FINISH_REASONS.find((row) => lettersOf(row.reason) === lettersOf(reason))?.cut;

/**
 * Why an answer is incomplete, by any service's finish reason; undefined if it is complete. Gemini in OpenAI's form adds its own reason:
 * `content_filter: PROHIBITED_CONTENT`.
 */
export function incompleteReason(finishReason = ''): IncompleteReason | undefined {
  const [beginning = ''] = finishReason.split(':', 1);
  return cutBy(finishReason) ?? cutBy(beginning);
}

/**
 * Asks for the continuation in a user message: the specification has no prefill (spec 2.1), and gateways differ in whether they continue an
 * assistant message.
 */
export const GO_ON = t`Go on exactly where your last answer was cut off. Repeat nothing, and add no introduction.`;
