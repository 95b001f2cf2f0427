import { type Decimal, isNegative, isZero, parseDecimal, toInteger } from '../../../../shared/money/decimal.ts';
import { wordsInNames } from '../errors/rules/sentences.ts';
import type { Answer } from '../exchange/answer.ts';
import { field, firstOf, layersOf, textOf } from '../json/fields.ts';
import type { Json, JsonObject } from '../json/parse.ts';
import type { ChatOutcome, GatewayError, PollOutcome, SendOptions, StatedCost, SubmitOutcome } from '../types.ts';

/**
 * The fields and headers in which answers state the cost of a request. No other field is read. An answer without a stated cost is not free.
 */
interface Row {
  /** A header in lower case, which begins with `x-`, or a path of camelCase fields in any of the objects that describe the answer. */
  name: string;
  unit: Unit;
  /**
   * Many services have a field of this name, in other units: it is `unit` only beside a currency that says so, or beside this field (`name`,
   * or `name=value`).
   */
  onlyBeside?: string;
}

/** `ticks`: 10,000,000,000 are a dollar. `unknown`: the source does not name the unit. */
type Unit = 'USD' | 'ticks' | 'credits' | 'unknown';

export const STATED_COSTS: readonly Row[] = [
  // docs.litellm.ai/docs/proxy/response_headers; zeabur.com/docs/en-US/ai-hub/usage-and-cost
  { name: 'x-litellm-response-cost', unit: 'USD' },
  // Comfy-Org/docs, development/comfy-router: credits of a run; their price depends on how they were bought
  { name: 'x-comfy-credits-used', unit: 'credits' },
  // gateways of the new-api family; its unit is set by whoever runs the gateway (QuotaPerUnit)
  { name: 'x-new-api-usage', unit: 'unknown' },
  // docs.x.ai/developers/cost-tracking: one dollar is 10,000,000,000 ticks
  { name: 'usage.costInUsdTicks', unit: 'ticks' },
  // docs.perplexity.ai, schema Cost: "total cost for the request in USD"
  { name: 'usage.cost.totalCost', unit: 'USD' },
  // openrouter.ai/docs/use-cases/usage-accounting, and VideoGenerationUsage: "in USD"
  { name: 'usage.cost', unit: 'USD' },
  // docs.llmgateway.io/features/cost-breakdown: "Total inference cost for the request in USD"
  { name: 'usage.costUsdTotal', unit: 'USD' },
  // docs.nano-gpt.com: x_nanogpt_pricing, cost beside currency and paymentSource
  { name: 'xNanogptPricing.cost', unit: 'USD', onlyBeside: 'currency' },
  // docs.leonardo.ai/v2.0/reference: "The cost of the operation", with its unit
  { name: 'generate.cost.amount', unit: 'USD', onlyBeside: 'unit=DOLLARS' },
  // docs.leonardo.ai/reference, POST /generations-text-to-video: "The cost of the operation", with its unit
  { name: 'motionVideoGenerationJob.cost.amount', unit: 'USD', onlyBeside: 'unit=DOLLARS' },
  // deepinfra.com, schema of an inference: "estimated cost billed for the request in USD"
  { name: 'inferenceStatus.cost', unit: 'USD' },
  // togethercomputer/together-py, VideoJob: "cost of generated video charged to the owners account", without a unit
  { name: 'outputs.cost', unit: 'unknown' },
  // developer.civitai.com/orchestration: cost of a workflow, whose currency is BUZZ
  { name: 'cost.total', unit: 'USD', onlyBeside: 'currency' },
  // cloud.baidu.com/doc/qianfan-api: credits used for a clip
  { name: 'usage.credits', unit: 'credits' },
  // docs.aimlapi.com: meta.usage beside every answer
  { name: 'meta.usage.usdSpent', unit: 'USD' },
  // runware.ai/docs (includeCost: cost beside taskUUID), docs.nano-gpt.com (cost beside paymentSource)
  { name: 'cost', unit: 'USD', onlyBeside: 'taskUUID' },
  // docs.loova.ai/v1/get-task-status: "credits charged for this task"
  { name: 'creditsCost', unit: 'credits' },
  // docs.bytespike.ai/api-reference/utility/tasks-query: "final billed credits"
  { name: 'creditsUsed', unit: 'credits' },
];

/** openrouter.ai/docs, GET /api/v1/generation: "total cost of the generation in USD". */
const RECORD: Row = { name: 'totalCost', unit: 'USD' };

/** The cost in the service's own record of a generation; undefined if the record is of another one. */
export function recordCost(body: Json | undefined, id: string): StatedCost | undefined {
  const data = field(body, 'data');
  return textOf(field(data, 'id')) === id ? inFields(RECORD, layersOf(data)) : undefined;
}

/** Longer than any amount. */
const MAX_AMOUNT_LENGTH = 40;

/**
 * The cost that an answer states, if any. Of several amounts in dollars the highest counts, because nothing says which of them is billed;
 * if none is in dollars, the first is kept as it was stated.
 */
export function statedCost(headers: Readonly<Record<string, string>>, body: Json | undefined): StatedCost | undefined {
  const layers = layersOf(body);
  const found = STATED_COSTS.flatMap(
    (row) => (row.name.startsWith('x-') ? inHeader(row, headers) : inFields(row, layers)) ?? [],
  );
  const inDollars = found.filter(({ nano }) => nano !== undefined);
  return inDollars.sort((a, b) => (b.nano ?? 0) - (a.nano ?? 0))[0] ?? found[0];
}

/** Whether the cost is more than zero. A text without a number does not say. */
export const statesSome = ({ nano, as }: StatedCost): boolean => (nano ?? Number.parseFloat(as)) > 0;

function inHeader(row: Row, headers: Readonly<Record<string, string>>): StatedCost | undefined {
  const text = headers[row.name]?.trim();
  if (text === undefined || text === '') return undefined;
  const amount = parseDecimal(text);
  if (amount) return stated(row, text, amount);
  return row.unit === 'unknown' ? { by: row.name, as: text.slice(0, MAX_AMOUNT_LENGTH) } : undefined;
}

const inFields = (row: Row, layers: readonly JsonObject[]): StatedCost | undefined =>
  firstOf(layers, (layer) => inLayer(row, layer));

function inLayer(row: Row, layer: JsonObject): StatedCost | undefined {
  const path = row.name.split('.');
  const holders = path.slice(0, -1).reduce<Json | undefined>((node, name) => field(node, name), layer);
  const text = textOf(field(holders, path.at(-1) ?? ''));
  const amount = text === undefined || text.length > MAX_AMOUNT_LENGTH ? undefined : parseDecimal(text);
  if (text === undefined || !amount) return undefined;
  const currency = currencyBeside(holders) ?? currencyBeside(layer);
  const unit = row.unit === 'USD' && !isInDollars(row, holders, currency) ? 'unknown' : row.unit;
  const words = currency === undefined || currency === 'USD' ? text : `${text} ${currency}`;
  const one = stated({ ...row, unit }, words, amount);
  // If the gateway uses the user's own key of another service, the rest is on that service's bill.
  return field(holders, 'isByok') === true ? { ...one, part: true } : one;
}

function isInDollars({ onlyBeside }: Row, holder: Json | undefined, currency: string | undefined): boolean {
  if (currency !== undefined) return currency === 'USD';
  if (onlyBeside === undefined) return true;
  const [name = '', value] = onlyBeside.split('=');
  const text = textOf(field(holder, name));
  return text !== undefined && (value === undefined || text === value);
}

/** The currency beside the amount, or beside the object that holds it. */
function currencyBeside(holder: Json | undefined): string | undefined {
  return textOf(field(holder, 'currency', 'paymentSource'))
    ?.toUpperCase()
    .slice(0, 10);
}

function stated({ name, unit }: Pick<Row, 'name' | 'unit'>, text: string, amount: Decimal): StatedCost {
  const as = unit === 'unknown' ? text : `${text} ${unit}`;
  if (isNegative(amount) && !isZero(amount)) return { by: name, as };
  // A fraction of a nano-dollar is rounded up.
  const nano =
    unit === 'USD' ? toInteger(amount, 1_000_000_000n) : unit === 'ticks' ? toInteger(amount, 1n, 10n) : undefined;
  return nano ? { by: name, as, nano: nano.value } : { by: name, as };
}

type Refused =
  | Extract<SubmitOutcome, { type: 'refused' }>
  | { type: 'unknown'; error: GatewayError; stated?: StatedCost };

/** The outcome of an error: a definite no, a failure whose cost is open, or unknown. */
export function refused(error: GatewayError): Refused {
  if (error.accepted === 'unknown' && !error.answered) return { type: 'unknown', error };
  return { type: 'refused', error, billed: error.accepted === 'no' ? 'no' : 'unknown' };
}

/** The service has accepted the request, and said so. */
export const isAccepted = ({ type }: SubmitOutcome | ChatOutcome): boolean =>
  type === 'accepted' || type === 'done' || type === 'answered';

/**
 * Adds the cost that the answer states; of several documents, the first with a cost counts. A failure with a stated cost, in any unit, may
 * be billed, even where other failures are free. The same applies to refused content: xAI charges for what it generated and then moderated,
 * with a 400 (docs.x.ai, pricing, usage guidelines violation fee).
 */
export function withStated<T extends SubmitOutcome | PollOutcome | Refused | { type: 'finished' }>(
  outcome: T,
  { headers }: Pick<Answer, 'headers'>,
  documents: readonly (Json | undefined)[],
): T {
  const hasEnded = outcome.type === 'failed' || (outcome.type === 'refused' && mayCost(outcome.error));
  const hasSucceeded = outcome.type === 'done' || outcome.type === 'accepted';
  if (!hasSucceeded && !hasEnded && outcome.type !== 'unknown') return outcome;
  const stated = firstStated(headers, documents);
  const some = stated && (hasSucceeded || statesSome(stated)) ? { stated } : {};
  const isCharged = hasEnded && ('stated' in some || saysCharged(outcome.error.message));
  return { ...outcome, ...(isCharged ? { billed: 'unknown' } : {}), ...some };
}

/** Whether a failure says that it was charged anyway. This can only make the charge less certain, never settle it. */
const saysCharged = (message: string): boolean => CHARGED.test(wordsInNames(message.replace(TAKEN_BACK, ' ')));

const CHARGED =
  /\byou (were|have been) (charged|billed)\b|\bcredits? ((has|have) been|was|were) (charged|consumed|deducted)\b|已扣[费款]/;
/** Phrases that deny the charge or make it conditional: "no credits", "if you". */
const TAKEN_BACK = /(?<![\w.,])(?:(?:no|0|zero|without)\s+credits?|if\s+you)\b/gi;

const mayCost = ({ accepted, kind }: GatewayError): boolean => accepted !== 'no' || kind === 'moderation';

function firstStated(headers: Answer['headers'], documents: readonly (Json | undefined)[]): StatedCost | undefined {
  const some = documents.length > 0 ? documents.slice(0, MAX_DOCUMENTS) : [undefined];
  return firstOf(some, (document) => statedCost(headers, document));
}

const MAX_DOCUMENTS = 20;

/** The most spellings of one request: the first, and one change of each of the three that the specification leaves open. */
const MAX_SPELLINGS = 4;

interface Spellings<Spelling, Submitted> {
  first: Spelling;
  /** Identifies a spelling. */
  nameOf(spelling: Spelling): string;
  /** Sends the request once. */
  submit(spelling: Spelling): Promise<Submitted>;
  /** The spelling that a definite no asks for, if the refusal is about the spelling. One that was tried is not sent again. */
  next(
    refused: Submitted,
    sent: Spelling,
    isTried: (spelling: Spelling) => boolean,
  ): Spelling | undefined | Promise<Spelling | undefined>;
  /** Remembers the spelling that was accepted after another was refused. */
  learn?(taken: Spelling): void;
  /** The most spellings to try. */
  most?: number;
}

/**
 * Sends a paid request. After a definite no to its spelling, sends it again in the spelling that the service asks for. This is the only
 * place where a paid request is sent more than once: a request that may have been accepted, or was canceled meanwhile, is not sent again,
 * and no spelling is tried twice.
 */
export async function retryWithNextSpelling<Spelling, Submitted extends { outcome: SubmitOutcome | ChatOutcome }>(
  { signal, mayRetry }: SendOptions,
  { first, nameOf, submit, next, learn, most = MAX_SPELLINGS }: Spellings<Spelling, Submitted>,
): Promise<Submitted> {
  const tried = new Set<string>();
  const isTried = (spelling: Spelling): boolean => tried.has(nameOf(spelling));
  let spelling = first;
  for (;;) {
    tried.add(nameOf(spelling));
    const submitted = await submit(spelling);
    if (tried.size > 1 && isAccepted(submitted.outcome)) learn?.(spelling);
    if (!isDefiniteNo(submitted.outcome) || tried.size >= most) return submitted;
    const following = await next(submitted, spelling, isTried);
    if (following === undefined || isTried(following)) return submitted;
    if (signal?.aborted || mayRetry?.() === false) return submitted;
    spelling = following;
  }
}

const isDefiniteNo = (outcome: SubmitOutcome | ChatOutcome): boolean =>
  outcome.type === 'refused' && outcome.error.accepted === 'no';

/** Whether the request was refused for its content. */
export const isRefusedAsInvalid = (outcome: SubmitOutcome | ChatOutcome): boolean =>
  outcome.type === 'refused' && outcome.error.kind === 'invalid';
