import type { ErrorKind } from '../../../../../shared/job.ts';
import type { Source } from './sources.ts';

/**
 * Phrases in the sentences of services that mean one kind of error. They only choose what a person reads; `codes.ts` decides whether a
 * request was accepted.
 */
export interface Phrase {
  /** Words in sequence; `…` is a gap of a few other words, `*` the rest of a word. */
  words: string;
  kind: ErrorKind;
  /** `specific` phrases count first, then plain reasons, then words that any error may contain. */
  level: Level;
  source: Source;
  /** `file: name`; a name alone is in `sentences.jsonl`. */
  fixture: string;
}

export type Level = 'specific' | 'plain' | 'timeout' | 'vague';

type Group = readonly [level: Level, kind: ErrorKind, source: Source, phrases: string];

/** In the sequence in which they are tried; each phrase of a group has a case of the same name. */
const GROUPS: readonly Group[] = [
  // A refusal that names a parameter is about the parameter, whatever its name is.
  [
    'specific',
    'invalid',
    'openai',
    'unknown parameter|unsupported parameter|unrecognized request argument|parameter … unknown',
  ],
  ['specific', 'invalid', 'google', 'unknown name'],
  ['specific', 'invalid', 'fal', 'extra inputs are not permitted'],
  ['specific', 'invalid', 'litellm', 'unexpected keyword argument'],

  // Capacity that is missing now, though the code may say "not found".
  ['specific', 'server', 'newApi', 'no available channel*|无可用渠道'],
  ['specific', 'server', 'litellm', 'no healthy deployment*|no deployments available'],
  ['specific', 'server', 'openrouter', 'no available model provider*'],
  ['specific', 'server', 'midjourney', 'no available account*|无可用的账号'],
  ['specific', 'server', 'nvidia', 'degraded function cannot be invoked'],

  ['specific', 'moderation', 'openai', 'safety system|content polic*|usage polic*|content moderation'],
  ['specific', 'moderation', 'azure', 'content management policy|content filter*'],
  [
    'specific',
    'moderation',
    'google',
    'usage guidelines|unsafe|prohibited|responsible ai|safety filter*|sensitive word*',
  ],
  ['specific', 'moderation', 'openrouter', 'flagged|requires moderation'],
  ['specific', 'moderation', 'deepseek', 'content exists risk'],
  ['specific', 'moderation', 'moonshot', 'high risk'],
  ['specific', 'moderation', 'ark', 'sensitive information|sensitive content|real person'],
  ['specific', 'moderation', 'aliyun', 'inappropriate'],
  ['specific', 'moderation', 'kling', 'risk control|内容风控'],
  ['specific', 'moderation', 'runway', 'not pass … safety|not pass … moderation'],
  ['specific', 'moderation', 'luma', 'moderated|advanced moderation failed'],
  ['specific', 'moderation', 'litellm', 'contentpolicyviolationerror'],
  ['specific', 'moderation', 'ideogram', 'failed safety check'],
  ['specific', 'moderation', 'bfl', 'moderation system|moderation block'],
  ['specific', 'moderation', 'replicate', 'nsfw'],
  ['specific', 'moderation', 'runblob', 'photorealistic people|prominent people'],
  [
    'specific',
    'moderation',
    'evolink',
    'third party content|celebrit*|nudity|real people|copyright*|sexual*|public figure*',
  ],
  [
    'specific',
    'moderation',
    'midjourney',
    'banned prompt|banned word*|community guidelines|blocked by moderation|image filters',
  ],
  [
    'specific',
    'moderation',
    'proxies',
    'reviewers|violat* … polic*|violat* … terms|against … polic*|against … guidelines',
  ],
  [
    'specific',
    'moderation',
    'proxies',
    'blocked by … filter|disallowed content|harmful|policy violation|sensitive prompt',
  ],
  [
    'specific',
    'moderation',
    'proxies',
    'community standards|trust and safety|not comfortable|not suitable|explicit content',
  ],
  ['specific', 'moderation', 'portkey', 'guardrail checks'],
  ['specific', 'moderation', 'grokRelays', 'content security audit|审查未通过'],
  ['specific', 'moderation', 'zai', '敏感|不安全'],
  ['specific', 'moderation', 'newApi', '违规|审核|不合规'],

  ['specific', 'quota', 'deepseek', 'insufficient balance|insufficient account balance'],
  ['specific', 'quota', 'openai', 'exceeded your current quota|billing'],
  ['specific', 'quota', 'anthropic', 'credit balance'],
  ['specific', 'quota', 'anthropicLimits', 'specified api usage limits|specified workspace api usage limits'],
  ['specific', 'quota', 'workersAi', 'daily free allocation'],
  ['specific', 'quota', 'heygen', 'insufficient credit'],
  ['specific', 'quota', 'openrouter', 'insufficient credits|more credits|no credits|key limit exceeded'],
  ['specific', 'quota', 'xai', 'have any credits'],
  ['specific', 'quota', 'litellm', 'budget … exceeded'],
  [
    'specific',
    'quota',
    'newApi',
    'quota … not enough|quota insufficient|quota exhausted|insufficient quota|insufficient user quota',
  ],
  ['specific', 'quota', 'newApi', '额度|余额|积分不足'],
  ['specific', 'quota', 'zai', '欠费'],
  ['specific', 'quota', 'apim', 'call volume quota'],
  ['specific', 'quota', 'portkey', 'budget exhausted'],
  ['specific', 'quota', 'siliconflow', 'balance is insufficient|balance insufficient'],
  ['specific', 'quota', 'pixverse', 'credits … used up'],
  ['specific', 'quota', 'runblob', 'not enough credits'],
  ['specific', 'quota', 'runway', 'have enough credits'],
  ['specific', 'quota', 'leonardo', 'not enough api tokens'],
  ['specific', 'quota', 'google', 'quota exceeded|spending limit'],
  ['specific', 'quota', 'proxies', 'out of credits|balance … too low|balance … not enough|daily quota'],
  ['specific', 'quota', 'proxies', 'payment required|insufficient funds'],

  ['specific', 'rate_limit', 'openai', 'rate limit*|too many requests|slow down|high demand'],
  ['specific', 'rate_limit', 'baidu', 'request limit reached'],
  ['specific', 'rate_limit', 'aliyun', 'throttl*'],
  ['specific', 'rate_limit', 'evolink', 'concurrency limit|concurrent requests|too many tasks|too many concurrent'],
  ['specific', 'rate_limit', 'midjourney', 'queue full|queue is full|队列已满'],
  ['specific', 'rate_limit', 'oneApi', '饱和|频繁|限流|速率'],
  ['specific', 'rate_limit', 'zai', '并发'],

  ['specific', 'auth', 'openai', 'incorrect api key|invalid api key|api key … required|provide an api key'],
  ['specific', 'auth', 'google', 'api key not valid|api key expired'],
  ['specific', 'auth', 'newApi', 'invalid token|token expired|令牌|无效的密钥|未授权'],
  [
    'specific',
    'auth',
    'proxies',
    'token invalid|expired token|missing api key|bad key|invalid key|token … no longer valid',
  ],
  ['specific', 'auth', 'fal', 'authentication'],
  ['specific', 'auth', 'litellm', 'unauthorized|permission denied|access denied|not authorized'],

  ['plain', 'invalid', 'openai', 'invalid request|invalid value|invalid prompt'],
  ['plain', 'invalid', 'google', 'invalid argument|bad argument'],
  ['plain', 'invalid', 'zai', '参数错误'],

  ['timeout', 'timeout', 'newApi', 'deadline exceeded|超时|status code 524|status code 504'],
  ['timeout', 'timeout', 'litellm', 'timed out|timeout'],
  ['timeout', 'timeout', 'cloudflare', 'error code 524|error 524|http 524'],

  ['vague', 'server', 'openai', 'server error|overloaded|internal error'],
  ['vague', 'server', 'google', 'unavailable'],
  ['vague', 'server', 'newApi', 'upstream|系统'],
  [
    'vague',
    'invalid',
    'openai',
    'invalid|does not exist|must be|missing|required|unsupported|not supported|too long|too large',
  ],
  ['vague', 'invalid', 'baidu', 'param error|max input'],
  ['vague', 'invalid', 'tgi', 'not found|cannot be|not a valid'],
  ['vague', 'invalid', 'zai', '参数|无效|不支持'],
];

export const PHRASES: readonly Phrase[] = GROUPS.flatMap(([level, kind, source, phrases]) =>
  phrases.split('|').map((words) => ({ words, kind, level, source, fixture: words })),
);

const MAX_LENGTH = 4_000;
/** The most letters that `…` can match. */
const MAX_GAP = 60;

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

/** All words of a text, also those of the names in it: `requests_per_minute` and `PerMinute` say a time. */
export const wordsInNames = (text: string): string =>
  ` ${splitHumps(text.slice(0, MAX_LENGTH))
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .toLowerCase()} `;

/** `URLExpired` is two words, `IDs` one. */
const splitHumps = (word: string): string => word.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z]{2})/g, '$& ');
const splitJoints = (word: string): string[] => word.split(/[_\s-]+/).filter((part) => part !== '');

/** The kind that the first phrase of this level names. */
export function kindByPhrase(sentence: string, level: Level): ErrorKind | undefined {
  return PHRASES.find((phrase) => phrase.level === level && includesPhrase(sentence, phrase.words))?.kind;
}

/** Whether a sentence holds a phrase. */
export function includesPhrase(sentence: string, phrase: string): boolean {
  const [first = '', ...rest] = phrase.split(' … ');
  let at = phraseIndex(sentence, first, 0);
  if (rest.length === 0) return at >= 0;
  for (; at >= 0; at = phraseIndex(sentence, first, at + 1)) {
    const near = sentence.slice(at + first.length - 1, at + first.length + MAX_GAP);
    if (rest.every((part) => phraseIndex(near, part, 0) >= 0)) return true;
  }
  return false;
}

/** Words of other scripts have no spaces between them, so part of a word matches there. */
function phraseIndex(sentence: string, words: string, from: number): number {
  if (/[^ -~]/.test(words)) return sentence.indexOf(words, from);
  return sentence.indexOf(words.endsWith('*') ? ` ${words.slice(0, -1)}` : ` ${words} `, from);
}
