/** Why an answer ended before its end: it was as long as it may be, what goes on was held back, or the service could not go on. */
export type Cut = 'length' | 'filter' | 'failure';

/** The finish reasons of chat services that mean a cut; letters count, not case nor joints. */
const CUTS = new Map<string, Cut>([
  ...'length max_tokens MAX_TOKENS max_output_tokens model_length model_context_window_exceeded'
    .split(' ')
    .map((reason) => [lettersOf(reason), 'length'] as const),
  ...'content_filter content_filtered SAFETY PROHIBITED_CONTENT BLOCKLIST SPII RECITATION IMAGE_SAFETY sensitive moderation refusal guardrail_intervened'
    .split(' ')
    .map((reason) => [lettersOf(reason), 'filter'] as const),
  // DeepSeek, Zhipu.
  ...'insufficient_system_resource network_error'.split(' ').map((reason) => [lettersOf(reason), 'failure'] as const),
]);

function lettersOf(reason: string): string {
  return reason.toLowerCase().replace(/[^a-z]/g, '');
}

/** What cut an answer, by its finish reason in the words of any service; nothing where it came to its end. */
export const cutOf = (finishReason: string | undefined): Cut | undefined => CUTS.get(lettersOf(finishReason ?? ''));
