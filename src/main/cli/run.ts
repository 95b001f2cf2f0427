import { parseArgs, styleText } from 'node:util';
import { openLink } from '../link/index.ts';
import { COMMON, type Command, type Given, type Outcome, optionsOf, type Terminal, wrongUsage } from './command.ts';
import * as all from './commands/index.ts';
import { completion } from './completion.ts';
import { EXIT } from './exitCodes.ts';
import { columns } from './words.ts';

const COMMANDS: readonly Command[] = [...Object.values(all), completion(() => COMMANDS)].toSorted((one, other) =>
  one.name < other.name ? -1 : 1,
);

/** Commands that need no studio calls; they are started before this module is loaded (`src/main/start.mjs`, the Electron host). */
const SERVED_ELSEWHERE: readonly Pick<Command, 'name' | 'takes' | 'says'>[] = [
  { name: 'mcp', takes: [], says: 'the Model Context Protocol on stdin and stdout, for other programs' },
  {
    name: 'verify',
    takes: ['FILE|FOLDER'],
    says: 'checks a job record by its digest, or an exported folder by its hash list',
  },
];

/** Runs a command line such as `batch film.csv --night`. Node's `parseArgs` reads the arguments, strictly and without abbreviations. */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<Outcome & { json: boolean }> {
  const [wanted = '', ...rest] = argv;
  const json = rest.includes('--json');
  const command = COMMANDS.find(({ name }) => name === wanted);
  if (!command) return { ...overview(wanted), json: argv.includes('--json') };
  const read = readArguments(command, rest);
  if (typeof read === 'string') return { ...wrongUsage(`${read} Usage: ${usageOf(command)}`), json };
  const { args, flags } = read;
  if (flags.help) return { ...help(command), json };
  if (args.length !== command.takes.length)
    return { ...wrongUsage(`${missing(command, args.length)} Usage: ${usageOf(command)}`), json };
  const link = () => openLink(flags['data-dir'] as string | undefined);
  return { ...(await command.run({ args, flags, terminal, link })), json };
}

function readArguments(command: Command, argv: readonly string[]): Pick<Given, 'args' | 'flags'> | string {
  try {
    const options = optionsOf(command);
    const { values, positionals, tokens } = parseArgs({
      args: [...argv],
      options,
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) return `--${twice} is given twice.`;
    return { args: positionals, flags: values as Given['flags'] };
  } catch (error) {
    // Node adds advice about `--` after the first sentence.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    return sentence.endsWith('.') ? sentence : `${sentence}.`;
  }
}

const missing = ({ takes }: Command, given: number): string =>
  given < takes.length ? `${takes[given]} is missing.` : 'There is one argument too many.';

const usageOf = ({ name, takes, options }: Command): string =>
  [
    'dailies',
    name,
    ...takes,
    ...Object.entries({ ...options, ...COMMON }).map(([flag, option]) => `[${flagOf(flag, option)}]`),
  ].join(' ');

function flagOf(name: string, { type, value }: Command['options'][string]): string {
  if (type === 'boolean') return `--${name}`;
  return `--${name} ${typeof value === 'string' ? value : (value ?? []).join('|')}`;
}

const bold = (text: string): string => styleText('bold', text, { stream: process.stdout });

function help(command: Command): Outcome {
  const options = Object.entries({ ...command.options, ...COMMON }).map(
    ([flag, option]) => [`  ${flagOf(flag, option)}`, option.says] as const,
  );
  const lines = [`${bold(`dailies ${command.name}`)}: ${command.says}`, usageOf(command), '', ...columns(options)];
  return { code: EXIT.ok, result: { ok: true, data: { usage: usageOf(command) } }, lines };
}

function overview(wanted: string): Outcome {
  const rowOf = ({ name, takes, says }: Pick<Command, 'name' | 'takes' | 'says'>) =>
    [`  ${[name, ...takes].join(' ')}`, says] as const;
  const rows = [...COMMANDS, ...SERVED_ELSEWHERE].map(rowOf);
  const listed = columns(rows);
  const lines = [
    'Usage: dailies COMMAND [--json] [--data-dir FOLDER]',
    '',
    ...listed.slice(0, COMMANDS.length),
    '',
    'Without --json:',
    '',
    ...listed.slice(COMMANDS.length),
  ];
  if (wanted === 'help' || wanted === '--help')
    return { code: EXIT.ok, result: { ok: true, data: { commands: rows } }, lines };
  return wrongUsage(
    `${wanted === '' ? 'A command is missing' : `There is no command ${wanted}`}.\n${lines.join('\n')}`,
  );
}
