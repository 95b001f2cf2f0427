import type { ErrorKind } from '../../../../shared/job.ts';
import type { Fault } from './fault.ts';

/**
 * What kind of error a service means. Words that can mean only one thing decide first, in codes and types before texts; then the
 * statuses that do; then the words that services use for everything (`invalid_request_error` also comes with an empty balance);
 * then the status.
 */
type Words = readonly [ErrorKind, RegExp];

const TELLING_WORDS: readonly Words[] = [
  [
    'quota',
    /insufficient(_user|_account)?_?(quota|balance|credit|fund)|(quota|budget)_?(exceeded|not_enough|exhausted)|exceeded_.*quota|billing|payment_required|balance|credits?_|arrear|out_of_credit/,
  ],
  [
    'moderation',
    /content_?(policy|filter|moderation|violation|blocked)|moderat|sensitive|safety|prohibited|banned_prompt|nsfw|responsible_?ai|inappropriate|data_?inspection|policy_violation|risk_control/,
  ],
  [
    'rate_limit',
    /rate_?limit|too_?many_?requests|throttl|concurren\w*_?(limit|exceeded)|queue_?full|slow_?down|saturated|^requests$|^tokens$/,
  ],
  [
    'auth',
    /(invalid|incorrect|missing|wrong|expired|no)_?(api_?)?key|api_?key_?(invalid|not|expired)|auth(entication|orization)?_?(error|fail|required|invalid)|no_?auth|unauthori[sz]ed|unauthenticated|permission|forbidden|access_?denied|(invalid|expired)_?(access_?)?token|token_?(invalid|expired)|account_?(deactivated|disabled|suspended)|not_?authorized/,
  ],
];

const TELLING_TEXT: readonly Words[] = [
  [
    'moderation',
    /content[ _-]?(policy|polic|filter|moderation|safety|violation)|safety (system|polic|filter|setting|reason|check|guideline)|moderat(ion|ed)|sensitive (word|content|information)|new_sensitive|risk control|responsible ai|prohibited|banned (prompt|word)|inappropriate|nsfw|(violat\w*|against) .{0,40}(polic|guideline|terms)|flagged|unsafe|blocked by .{0,30}(filter|safety|polic)|content exists risk|(considered|too) high risk|敏感|违规|审核|不合规/,
  ],
  [
    'quota',
    /insufficient (user |account )?(quota|balance|credit|fund)|(quota|credit|balance)\w* .{0,30}(exceed|exhaust|reached|insufficient|not enough|used up|empty|depleted|too low)|(spending|usage|daily|monthly) limit|(exceed|exhaust|out of|not enough|no|run out of|low)\w* .{0,20}\b(quota|credits?|balance)\b|budget .{0,20}exceeded|billing|payment required|余额|额度|欠费|配额|(积分|点数|次数)不足/,
  ],
  [
    'rate_limit',
    /rate[ _-]?limit|too many (requests|tasks|concurrent)|requests? (per|limit)|throttl|slow down|queue (is )?full|concurren\w+ (limit|requests)|high (load|demand|traffic)|saturated|频繁|限流|队列已满|饱和|并发/,
  ],
  [
    'auth',
    /(invalid|incorrect|missing|wrong|expired|no|bad|unknown) (api[ _-]?)?(key|token|credential)|\btoken\b.{0,20}(invalid|expired|no longer)|api[ _-]?key\b.{0,30}(invalid|not valid|incorrect|missing|expired|required|not found|not provided)|noauth|unauthori[sz]ed|unauthenticated|authentication|not authorized|permission denied|access denied|(did not|didn't|not) provide an api key|无效的令牌|令牌|鉴权|未授权|密钥/,
  ],
];

const TELLING_STATUS: ReadonlyMap<number, ErrorKind> = new Map([
  [401, 'auth'],
  [402, 'quota'],
  [407, 'auth'],
  [429, 'rate_limit'],
  [451, 'moderation'],
  [504, 'timeout'],
  [524, 'timeout'],
]);

const VAGUE_WORDS: readonly Words[] = [
  ['timeout', /time_?d?_?out|deadline/],
  [
    'invalid',
    /invalid|bad_?request|validation|unsupported|not_?found|missing|context_length|too_?(large|long)|failed_precondition|out_of_range|unprocessable|malformed|not_?supported|already_?exists|conflict/,
  ],
];

/** Said so plainly that it counts more than a type such as `upstream_error`, which gateways put on whatever they pass on. */
const PLAIN_TEXT: readonly Words[] = [
  [
    'invalid',
    /(invalid|bad|malformed) (request|argument|param|value|prompt|input|field|image|body|json)|参数错误|无效的参数/,
  ],
];

const SERVER_WORDS: readonly Words[] = [['server', /server|internal|unavailable|overload|no_available|capacity|busy/]];

/** What gateways call an error that they cannot name; a status of the caller's fault tells more. */
const PASSED_ON: readonly Words[] = [['server', /upstream|api_error|bad_gateway|channel|unknown_error/]];

const TIMEOUT_TEXT: readonly Words[] = [['timeout', /timed? ?out|deadline|超时/]];

const VAGUE_TEXT: readonly Words[] = [
  [
    'server',
    /overload|unavailable|no available|internal (server )?error|server (error|had an error|is busy)|upstream|bad gateway|maintenance|at capacity|no (account|channel)|system (error|busy)|系统|渠道|繁忙/,
  ],
  [
    'invalid',
    /invalid|not (a )?valid|unsupported|not supported|must be|missing|required|too (long|large|short)|does ?n[o']t exist|not found|no such|unknown (parameter|field|model)|cannot be|param(eter)?s? error|max(imum)? (input|context|length|tokens)|参数|无效|不支持/,
  ],
];

export function kindOf(fault: Fault, status: number, asksToWait = false): ErrorKind {
  const words = fault.words.map((word) =>
    word
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .replace(/[\s.:/-]+/g, '_')
      .toLowerCase(),
  );
  const text = fault.message.toLowerCase();
  const code = status >= 400 ? status : (fault.code ?? 0);
  const spoken = match(TELLING_WORDS, words) ?? match(TELLING_TEXT, [text]);
  // A quota that comes back by itself is a limit of rate: `RESOURCE_EXHAUSTED` with a delay.
  if (spoken === 'quota' && code === 429 && (asksToWait || PER_MINUTE.test(text)) && !words.some(isAboutMoney))
    return 'rate_limit';
  return (
    spoken ??
    TELLING_STATUS.get(code) ??
    match(VAGUE_WORDS, words) ??
    match(PLAIN_TEXT, [text]) ??
    match(SERVER_WORDS, words) ??
    (CALLERS_FAULT.has(code) ? 'invalid' : code === 403 ? 'auth' : undefined) ??
    match(TIMEOUT_TEXT, [text]) ??
    match(PASSED_ON, words) ??
    match(VAGUE_TEXT, [text]) ??
    kindOfStatus(code)
  );
}

const PER_MINUTE = /per[ _-]?(second|minute|min)\b|\b[rt]pm\b|\bqps\b/;
const isAboutMoney = (word: string): boolean => /insufficient|billing|payment/.test(word);

const CALLERS_FAULT = new Set([400, 404, 405, 410, 413, 415, 422]);

/** The first text that a row speaks to decides: codes stand before types, the innermost error before its wrapper. */
function match(table: readonly Words[], texts: string[]): ErrorKind | undefined {
  for (const text of texts) {
    const found = table.find(([, pattern]) => pattern.test(text));
    if (found) return found[0];
  }
  return undefined;
}

function kindOfStatus(status: number): ErrorKind {
  if (status === 408) return 'timeout';
  if (status >= 400 && status < 500) return 'invalid';
  return 'server';
}
