/** Why an answer ended early: it reached its length limit, the rest was filtered, or the service failed. */
export type Cut = 'length' | 'filter' | 'failure';

/** Finish reasons of chat services for an incomplete answer; compared by letters, without case and separators. */
const CUTS = new Map<string, Cut>([
  ...'length max_tokens MAX_TOKENS max_output_tokens model_length model_context_window_exceeded'
    .split(' ')
    .map((reason) => [lettersOf(reason), 'length'] as const),
  ...'content_filter content_filtered SAFETY PROHIBITED_CONTENT BLOCKLIST SPII RECITATION IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION sensitive moderation refusal guardrail_intervened'
    .split(' ')
    .map((reason) => [lettersOf(reason), 'filter'] as const),
  // DeepSeek, Zhipu; vLLM (#57082) and SGLang (#6693); Gemini, alone and in OpenAI's form.
  ...'insufficient_system_resource network_error abort MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL function_call_filter'
    .split(' ')
    .map((reason) => [lettersOf(reason), 'failure'] as const),
]);

function lettersOf(reason: string): string {
  return reason.toLowerCase().replace(/[^a-z]/g, '');
}

/**
 * Why an answer is incomplete, by any service's finish reason; undefined if it is complete. Gemini in OpenAI's form adds its own reason:
 * `content_filter: PROHIBITED_CONTENT`.
 */
export function cutOf(finishReason = ''): Cut | undefined {
  const [beginning = ''] = finishReason.split(':', 1);
  return CUTS.get(lettersOf(finishReason)) ?? CUTS.get(lettersOf(beginning));
}
