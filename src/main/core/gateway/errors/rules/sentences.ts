import type { ErrorKind } from '../../../../../shared/jobs/job.ts';

/**
 * Phrases in the sentences of services, each with one kind of error. They choose what a person reads. As to money, only a timeout matters:
 * it makes the charge less certain.
 */
interface SentenceRule {
  kind: ErrorKind;
  /** `specific` words count first, then plain reasons, then words that any error may contain. */
  level: Level;
  /** Its case in `sentences.jsonl`. */
  fixture: string;
  /** For a {@link normalizeText normalized} sentence. */
  pattern: RegExp;
}

export type Level = 'specific' | 'plain' | 'timeout' | 'vague';

/** Tried in this sequence; each pattern has the name of its test case. */
const GROUPS: Partial<Record<`${Level} ${ErrorKind}`, Record<string, RegExp>>> = {
  // A refusal that names a parameter is about the parameter, whatever its name is.
  'specific invalid': {
    'unknown parameter': /\b(unknown|unsupported) parameter\b|\bparameter\b.{0,60} unknown\b|\bunknown name\b/,
    'extra inputs are not permitted':
      /\bextra inputs are not permitted\b|\bunrecognized request argument\b|\bunexpected keyword argument\b/,
  },
  // Capacity is missing now, even if the code says "not found".
  'specific server': {
    'no available channel*':
      /\bno (available (channel|model provider|account)|healthy deployment)|\bno deployments available\b/,
    'degraded function cannot be invoked': /\bdegraded function cannot be invoked\b/,
    无可用渠道: /无可用(渠道|的账号)/,
  },
  'specific moderation': {
    'content polic*': /\b(content|usage) polic|\bcontent (filter|management policy\b)|\busage guidelines\b/,
    'safety system':
      /\bsafety (system|check)\b|\bsafety filter|\bresponsible ai\b|\btrust and safety\b|\bcontent security audit\b/,
    'not pass … moderation': /\bnot pass\b.{0,60} (safety|moderation)\b|\b(requires|content|blocked by) moderation\b/,
    moderated:
      /\bmoderated\b|\bmoderation (system|block)\b|\badvanced moderation failed\b|\bcontentpolicyviolationerror\b/,
    nsfw: /\b(unsafe|prohibited|inappropriate|nsfw|nudity|harmful)\b|\bsexual/,
    'sensitive content':
      /\bsensitive (information|content|prompt)\b|\bsensitive word|\b(third party|disallowed|explicit) content\b/,
    'real people': /\b(real person|(real|photorealistic|prominent) people)\b|\b(celebrit|public figure|copyright)/,
    'banned word*': /\bbanned (prompt\b|word)|\bflagged\b|\bimage filters\b|\bblocked by\b.{0,60} filter\b/,
    'violat* … polic*': /\bviolat.{0,60} (polic|terms\b)|\bagainst\b.{0,60} (polic|guidelines\b)|\bpolicy violation\b/,
    'community guidelines': /\bcommunity (guidelines|standards)\b|\breviewers\b|\bnot (comfortable|suitable)\b/,
    'high risk': /\b(content exists|high) risk\b|\brisk control\b|\bguardrail checks\b/,
    违规: /敏感|不安全|违规|审核|不合规|风控|审查未通过/,
  },
  'specific quota': {
    'insufficient balance':
      /\binsufficient (account balance|balance|credits?|funds|quota|user quota)\b|\b(balance( is)?|quota) insufficient\b/,
    'quota exceeded':
      /\bexceeded your current quota\b|\bquota (exceeded|exhausted)\b|\bquota( is)? not enough\b|\b(daily|volume) quota\b/,
    'more credits':
      /\b(no|more|out of|not enough|have (any|enough)) credits\b|\bcredits\b.{0,60} used up\b|\bnot enough api tokens\b/,
    billing: /\bbilling\b|\bcredit balance\b|\bpayment required\b|\bbalance\b.{0,60} (too low|not enough)\b/,
    'specified api usage limits':
      /\bspecified (workspace )?api usage limits\b|\bspending limit\b|\bkey limit exceeded\b|\bdaily free allocation\b/,
    'budget … exceeded': /\bbudget\b.{0,60} exceeded\b|\bbudget exhausted\b/,
    余额: /额度|余额|积分不足|欠费/,
  },
  'specific rate_limit': {
    'rate limit*': /\brate limit|\brequest limit reached\b|\btoo many (requests|tasks|concurrent)\b|\bthrottl/,
    'queue full': /\bqueue (is )?full\b|\bconcurrency limit\b|\bconcurrent requests\b|\bslow down\b|\bhigh demand\b/,
    饱和: /队列已满|饱和|频繁|限流|速率|并发/,
  },
  'specific auth': {
    'invalid api key':
      /\b(incorrect|invalid|missing|provide an) api key\b|\bapi key (not valid|expired)\b|\bapi key\b.{0,60} required\b/,
    'invalid token':
      /\b(invalid|expired) token\b|\btoken (invalid|expired)\b|\btoken( is)? no longer valid\b|\b(bad|invalid) key\b/,
    unauthorized: /\b(authentication|unauthorized|not authorized)\b|\b(permission|access) denied\b/,
    令牌: /令牌|无效的密钥|未授权/,
  },
  'plain invalid': {
    'invalid argument': /\binvalid (request|value|prompt|argument)\b|\bbad argument\b|参数错误/,
  },
  'timeout timeout': {
    'timed out': /\b(deadline exceeded|timed out|timeout)\b|超时/,
    'error code 524': /\b(status code (504|524)|error (code )?524|http 524)\b/,
  },
  'vague server': {
    'server error': /\b(server error|overloaded|internal error|unavailable|upstream)\b|系统/,
  },
  'vague invalid': {
    'does not exist':
      /\b(invalid|does not exist|must be|missing|required|unsupported|not supported|too long|too large)\b/,
    'not found': /\b(param error|max input|not found|cannot be|not a valid)\b/,
    参数: /参数|无效|不支持/,
  },
};

export const SENTENCES: readonly SentenceRule[] = Object.entries(GROUPS).flatMap(([group, rules]) => {
  const [level, kind] = group.split(' ') as [Level, ErrorKind];
  return Object.entries(rules).map(([fixture, pattern]) => ({ level, kind, fixture, pattern }));
});

const MAX_LENGTH = 4_000;

/**
 * A text in the form in which it is compared: single words in lower case. A lower-case name with separators inside a sentence is a
 * parameter name and is left out; as the whole text it is a code.
 */
export function normalizeText(text: string): string {
  const words = text.slice(0, MAX_LENGTH).split(/[^\p{L}\p{N}_-]+/u);
  // A code may have parts behind dots.
  const lone = words.filter((word) => word !== '').length === 1 || /^\s*[\w.]+\s*$/.test(text.slice(0, MAX_LENGTH));
  const kept = words.flatMap((word) => {
    if (!lone && word.includes('_') && word === word.toLowerCase()) return [];
    return splitJoints(lone ? splitHumps(word) : word);
  });
  return ` ${kept.join(' ').toLowerCase()} `;
}

/** All words of a text, including those inside names: `requests_per_minute` and `PerMinute` both state a time. */
export const wordsInNames = (text: string): string =>
  ` ${splitHumps(text.slice(0, MAX_LENGTH))
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .toLowerCase()} `;

/** `URLExpired` is two words, `IDs` one. */
const splitHumps = (word: string): string => word.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z]{2})/g, '$& ');
const splitJoints = (word: string): string[] => word.split(/[_\s-]+/).filter((part) => part !== '');

/** The kind of the first rule of this level whose words are in the sentence. */
export const kindBySentence = (sentence: string, level: Level): ErrorKind | undefined =>
  SENTENCES.find((one) => one.level === level && one.pattern.test(sentence))?.kind;
