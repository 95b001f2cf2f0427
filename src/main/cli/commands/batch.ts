import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallInput, CallOutput } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result, type StudioError } from '../../../shared/contract/result.ts';
import type { BatchFormat, BatchReading } from '../../../shared/jobs/batch.ts';
import { parseDollars } from '../../../shared/money/money.ts';
import { plural } from '../../../shared/text/texts.ts';
import { isLost, type StudioLink } from '../../link/index.ts';
import { type Command, done, failed, type Given, type Outcome, refused, wrongUsage } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { projectNamed } from '../projects.ts';
import { ENCODING, readText } from '../readText.ts';
import { name, priceWords } from '../words.ts';

const FORMATS = ['csv', 'jsonl', 'lines'] as const satisfies readonly BatchFormat[];
/** Before each repeat of a call with a lost answer; its key prevents a second batch. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000];

/** Enqueues many jobs from one text, all or none, once the price is confirmed. */
export const batch: Command = {
  name: 'batch',
  says: 'reads a table, JSON lines or prompts, shows the price, and queues them once you agree',
  takes: ['FILE'],
  options: {
    format: { type: 'string', value: FORMATS, says: 'by default from the name of the file' },
    encoding: ENCODING,
    kind: { type: 'string', value: 'KIND', says: 'of lines without a kind' },
    model: { type: 'string', value: 'MODEL', says: 'of lines without a model' },
    project: { type: 'string', value: 'PROJECT', says: 'of lines without a project, by name or id' },
    night: { type: 'boolean', says: 'schedules the jobs for the planned overnight run' },
    yes: { type: 'boolean', says: 'agrees to the price, whatever it is' },
    max: { type: 'string', value: 'DOLLARS', says: 'agrees to the price if the higher one is at most this' },
    'request-key': { type: 'string', value: 'KEY', says: 'repeats a call with a lost answer; its jobs are made once' },
  },
  async run(given) {
    const agreed = agreementOf(given.flags);
    if (!agreed.ok) return wrongUsage(agreed.error.message);
    const input = await inputOf(given);
    if (!input.ok) return { ...failed(input.error), code: EXIT.usage };
    const opened = await given.link();
    if (!opened.ok) return failed(opened.error);
    const { flags } = given;
    const project = flags.project === undefined ? undefined : await projectNamed(opened.data, String(flags.project));
    if (project && !project.ok) return failed(project.error);
    const read = await opened.data.call('batch.read', input.data);
    if (!read.ok) return failed(read.error);
    for (const line of wordsOf(read.data)) given.terminal.say(line);
    const place = { ...(flags.night ? { night: true } : {}), ...(project ? { projectId: project.data.id } : {}) };
    const earlier = await madeBefore(opened.data, read.data, { key: flags['request-key'], ...place });
    if (earlier) return earlier;
    const no = await refusalOf(read.data, agreed.data, given.terminal);
    if (no !== undefined) return refused(no, { reading: read.data });
    return enqueue(given.link, read.data, { requestKey: String(flags['request-key'] ?? randomUUID()), ...place });
  },
};

/** What an earlier run with this key enqueued: nothing is left to confirm, and no refusal may claim that nothing was enqueued. */
async function madeBefore(
  link: StudioLink,
  { readId }: BatchReading,
  { key: given, ...place }: Omit<CallInput<'batch.made'>, 'readId' | 'key'> & { key: Given['flags'][string] },
): Promise<Outcome | undefined> {
  if (given === undefined) return undefined;
  const key = String(given);
  const answer = await link.call('batch.made', { readId, key, ...place });
  if (!answer.ok) return failed(answer.error);
  const { made } = answer.data;
  if (!made) return undefined;
  const words = `An earlier run with this key queued ${plural(made.count, 'job')}. Nothing more was queued.`;
  return done({ ...made, requestKey: key, repeated: true }, [words]);
}

/** Enqueues what was read at the confirmed price, once. */
async function enqueue(
  link: Given['link'],
  { readId, estimateNano, lowNano, unpriced }: BatchReading,
  place: Pick<CallInput<'batch.enqueue'>, 'night' | 'projectId'> & { requestKey: string },
): Promise<Outcome> {
  const { requestKey, night = false } = place;
  const price = { estimateNano, lowNano, unpriced };
  const made = await enqueueOnce(link, { readId, shown: price, ...place });
  if (made.ok) return done({ ...made.data, requestKey, ...price }, [madeWords(made.data.count, night)]);
  if (!mayHaveSucceeded(made.error)) return failed(made.error);
  const message = `${made.error.message} It may already be queued: repeat the command with --request-key ${requestKey}, and it is queued once.`;
  return { ...failed({ ...made.error, message, data: { ...made.error.data, requestKey } }), code: EXIT.unknown };
}

type Agreement = { is: 'yes' } | { is: 'max'; nano: number } | { is: 'asked' };

function agreementOf({ yes, max }: Given['flags']): Result<Agreement> {
  if (yes && max !== undefined) return fail('invalid_input', 'Give --yes or --max, not both.');
  if (yes) return ok({ is: 'yes' });
  if (max === undefined) return ok({ is: 'asked' });
  const nano = parseDollars(String(max));
  return nano === undefined
    ? fail('invalid_input', '--max must be an amount of dollars, such as 12.50.')
    : ok({ is: 'max', nano });
}

async function inputOf({ args: [file = ''], flags }: Given): Promise<Result<CallInput<'batch.read'>>> {
  const format = formatOf(file, flags.format);
  if (!format) return fail('invalid_input', `--format must be one of ${FORMATS.join(', ')}.`);
  const text = await readText(file, flags.encoding);
  if (!text.ok) return text;
  const { kind, model } = flags;
  const defaults = {
    ...(kind === undefined ? {} : { kind }),
    ...(model === undefined ? {} : { model }),
  };
  return ok({ text: text.data, format, ...(Object.keys(defaults).length > 0 ? { defaults } : {}) });
}

function formatOf(file: string, given: Given['flags'][string]): BatchFormat | undefined {
  if (given !== undefined) return FORMATS.find((format) => format === given);
  const ending = extname(file).toLowerCase();
  if (ending === '.csv' || ending === '.tsv') return 'csv';
  return ['.jsonl', '.ndjson'].includes(ending) ? 'jsonl' : 'lines';
}

function wordsOf(reading: BatchReading): string[] {
  const wrong = reading.rows.filter(({ errors }) => errors.length > 0).slice(0, 20);
  const sums = reading.sums.map((sum) => `  ${sum.kind}: ${plural(sum.jobs, 'job')}, ${priceWords(sum)}`);
  return [
    ...wrong.flatMap(({ line, errors }) =>
      errors.map((error) => `Line ${line}: ${name(error.field)} ${name(error.message)}`),
    ),
    `${plural(reading.good, 'job')}, ${priceWords(reading)}`,
    ...(sums.length > 1 ? sums : []),
  ];
}

/** Why nothing is enqueued; undefined once the price is confirmed. */
async function refusalOf(
  reading: BatchReading,
  agreed: Agreement,
  terminal: Given['terminal'],
): Promise<string | undefined> {
  if (reading.bad > 0) return `${plural(reading.bad, 'line')} must be fixed first. Nothing was queued.`;
  if (agreed.is === 'yes') return undefined;
  if (agreed.is === 'max') {
    if (reading.unpriced > 0) return 'Some jobs have no price, so --max cannot hold it. Nothing was queued.';
    return reading.estimateNano <= agreed.nano ? undefined : 'It may cost more than --max allows. Nothing was queued.';
  }
  if (!terminal.isInteractive) return 'Nobody is here to agree to the price: give --yes or --max. Nothing was queued.';
  const answer = await terminal.ask(`Queue it (${priceWords(reading)})? Type yes: `);
  return answer.trim().toLowerCase() === 'yes' ? undefined : 'Nothing was queued.';
}

/** After such an error the batch may have been enqueued. */
const mayHaveSucceeded = (error: StudioError): boolean => isLost(error) || error.code === 'internal';

/**
 * Repeats the call with its key only if the answer was lost. The port is looked up each time: the studio may have restarted, or ended and
 * left its port to another program.
 */
async function enqueueOnce(
  link: Given['link'],
  input: CallInput<'batch.enqueue'>,
): Promise<Result<CallOutput<'batch.enqueue'>>> {
  const send = async () => {
    const opened = await link();
    return opened.ok ? opened.data.call('batch.enqueue', input) : opened;
  };
  let answer = await send();
  for (const ms of PAUSES_MS) {
    if (answer.ok || !mayHaveSucceeded(answer.error)) return answer;
    await pause(ms);
    const again = await send();
    // An unreachable studio says nothing about the batch.
    if (again.ok || again.error.code !== 'unreachable') answer = again;
  }
  return answer;
}

const madeWords = (count: number, night: boolean): string =>
  `Queued ${plural(count, 'job')}${night ? ' for the night' : ''}.`;
