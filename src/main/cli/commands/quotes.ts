import type { CallInput } from '../../../shared/contract/contract.ts';
import { promptOf } from '../../../shared/kinds/index.ts';
import type { Quote } from '../../../shared/money/quote.ts';
import { type Command, done, failed, wrongUsage } from '../command.ts';
import { projectNamed } from '../projects.ts';
import { ENCODING, readText } from '../readText.ts';
import { name, priceWords } from '../words.ts';

/** Quotes a request for the user to approve in the app. It spends nothing. */
export const quote: Command = {
  name: 'quote',
  says: 'asks for approval of a request; nothing is made before you approve it in Dailies',
  takes: ['FILE'],
  options: {
    encoding: ENCODING,
    project: { type: 'string', value: 'PROJECT', says: 'its film, by name or id' },
    client: { type: 'string', value: 'NAME', says: 'who asks, as shown to you (command line)' },
  },
  async run({ args: [file = ''], flags, link }) {
    const text = await readText(file, flags.encoding);
    if (!text.ok) return failed(text.error);
    const request = parsed(text.data);
    if (request === undefined) return wrongUsage('FILE must be one request as JSON, as jobs.enqueue takes it.');
    const opened = await link();
    if (!opened.ok) return failed(opened.error);
    const project = flags.project === undefined ? undefined : await projectNamed(opened.data, String(flags.project));
    if (project && !project.ok) return failed(project.error);
    const client = String(flags.client ?? 'command line');
    const input = { request, client, ...(project ? { projectId: project.data.id } : {}) };
    const answer = await opened.data.call('quotes.create', input);
    return answer.ok ? done(answer.data, [lineOf(answer.data)]) : failed(answer.error);
  },
};

/** The quotes and their states. */
export const quotes: Command = {
  name: 'quotes',
  says: 'approval requests of programs and models, with their states',
  takes: [],
  options: {},
  async run({ link }) {
    const opened = await link();
    if (!opened.ok) return failed(opened.error);
    const answer = await opened.data.call('quotes.list', { limit: 50 });
    if (!answer.ok) return failed(answer.error);
    const lines = answer.data.quotes.map(lineOf);
    return done(answer.data, lines.length === 0 ? ['No approval requests yet.'] : lines);
  },
};

function lineOf({ id, state, voidBecause, request, ...price }: Quote): string {
  const what = state === 'void' ? `void (${voidBecause})` : state;
  const unpriced = price.unpriced ? 1 : 0;
  return `${id.slice(0, 12)}  ${what}  ${priceWords({ ...price, unpriced })}  ${name(promptOf(request), 60)}`;
}

function parsed(text: string): CallInput<'quotes.create'>['request'] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as CallInput<'quotes.create'>['request']) : undefined;
  } catch {
    return undefined;
  }
}
