import { type Decimal, isNegative, isZero, parseDecimal, toInteger } from '../../../../shared/money/decimal.ts';
import { field, type Json, type JsonObject, layersOf, textOf } from '../json/index.ts';
import type { StatedCost } from '../types.ts';

/**
 * The fields and headers in which answers state the cost of a request. No other field is read, and an answer that states nothing is not
 * free.
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
  return textOf(field(data, 'id')) === id ? inFields(RECORD, layersOf(data))[0] : undefined;
}

/** Longer than any amount. */
const MAX_AMOUNT_LENGTH = 40;

/**
 * The cost that an answer states, if any. Of several amounts in dollars the highest counts, because nothing says which of them is billed;
 * if none is in dollars, the first is kept as it was stated.
 */
export function statedCost(headers: Readonly<Record<string, string>>, body: Json | undefined): StatedCost | undefined {
  const layers = layersOf(body);
  const found = STATED_COSTS.flatMap((row) =>
    row.name.startsWith('x-') ? inHeader(row, headers) : inFields(row, layers),
  );
  const inDollars = found.filter(({ nano }) => nano !== undefined);
  return inDollars.sort((a, b) => (b.nano ?? 0) - (a.nano ?? 0))[0] ?? found[0];
}

/** Whether the cost is more than zero. A text without a number does not say. */
export const statesSome = ({ nano, as }: StatedCost): boolean => (nano ?? Number.parseFloat(as)) > 0;

function inHeader(row: Row, headers: Readonly<Record<string, string>>): StatedCost[] {
  const text = headers[row.name]?.trim();
  if (text === undefined || text === '') return [];
  const amount = parseDecimal(text);
  if (amount) return [stated(row, text, amount)];
  return row.unit === 'unknown' ? [{ by: row.name, as: text.slice(0, MAX_AMOUNT_LENGTH) }] : [];
}

function inFields(row: Row, layers: readonly JsonObject[]): StatedCost[] {
  for (const layer of layers) {
    const found = inLayer(row, layer);
    if (found) return [found];
  }
  return [];
}

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
