import { COMMON, type Command, done, type Option, wrongUsage } from './command.ts';

/** Shell completion scripts, made from the table of commands. */

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completion = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  says: 'prints the completion of a shell: eval "$(dailies completion bash)"',
  takes: ['SHELL'],
  options: {},
  async run({ args: [wanted] }) {
    const shell = SHELLS.find((one) => one === wanted);
    if (!shell) return wrongUsage(`SHELL must be one of ${SHELLS.join(', ')}.`);
    const script = SCRIPTS[shell](commands());
    return done({ shell, script }, [script]);
  },
});

const optionsOf = ({ options }: Command): [string, Option][] => Object.entries({ ...options, ...COMMON });
const wordsOf = (option: Option): readonly string[] => (Array.isArray(option.value) ? option.value : []);
const isFile = ({ value }: Option): boolean => value === 'FOLDER';
const takesFile = ({ takes }: Command): boolean => takes.includes('FILE');
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const SCRIPTS: Record<(typeof SHELLS)[number], (commands: readonly Command[]) => string> = {
  bash: (commands) => `_dailies() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(' '))} -- "$current")); return; fi
  case "\${COMP_WORDS[1]} $before" in
${commands.flatMap(bashValues).join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(bashOptions).join('\n')}
  esac
}
complete -o filenames -F _dailies dailies`,
  zsh: (commands) => `#compdef dailies
_dailies() {
  local -a names
  names=(${commands.map(({ name, says }) => quoted(`${name}:${says.replaceAll(':', '\\:')}`)).join(' ')})
  if (( CURRENT == 2 )); then _describe command names; return; fi
  case "$words[2]" in
${commands.map(zshOptions).join('\n')}
  esac
}
compdef _dailies dailies`,
  fish: (commands) => ['complete -c dailies -f', ...commands.flatMap(fishLines)].join('\n'),
};

const bashValues = (command: Command): string[] =>
  optionsOf(command).flatMap(([name, option]) => {
    const words = wordsOf(option);
    const found = isFile(option) ? 'compgen -d --' : `compgen -W ${quoted(words.join(' '))} --`;
    return words.length > 0 || isFile(option)
      ? [`    ${quoted(`${command.name} --${name}`)}) COMPREPLY=($(${found} "$current")); return ;;`]
      : [];
  });

function bashOptions(command: Command): string {
  const flags = `compgen -W ${quoted(
    optionsOf(command)
      .map(([name]) => `--${name}`)
      .join(' '),
  )} -- "$current"`;
  const words = command.name === 'completion' ? `; compgen -W ${quoted(SHELLS.join(' '))} -- "$current"` : '';
  const files = takesFile(command) ? '; compgen -f -- "$current"' : '';
  return `    ${command.name}) COMPREPLY=($(${flags}${words}${files})) ;;`;
}

function zshOptions(command: Command): string {
  const options = optionsOf(command).map(([name, option]) => {
    const says = [...option.says].filter((letter) => !'[]:'.includes(letter)).join('');
    const values = wordsOf(option).length > 0 ? `(${wordsOf(option).join(' ')})` : isFile(option) ? '_files -/' : '';
    return quoted(option.type === 'boolean' ? `--${name}[${says}]` : `--${name}[${says}]:${name}:${values}`);
  });
  const rest = takesFile(command) ? ["'*:file:_files'"] : [];
  const shells = command.name === 'completion' ? [quoted(`*:shell:(${SHELLS.join(' ')})`)] : [];
  return `    ${command.name}) shift words; (( CURRENT-- )); _arguments ${[...options, ...rest, ...shells].join(' ')} ;;`;
}

function fishLines(command: Command): string[] {
  const inCommand = quoted(`__fish_seen_subcommand_from ${command.name}`);
  return [
    `complete -c dailies -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.says)}`,
    ...optionsOf(command).map(([name, option]) => {
      const words =
        wordsOf(option).length > 0 ? ` -xa ${quoted(wordsOf(option).join(' '))}` : isFile(option) ? ' -rF' : ' -x';
      return `complete -c dailies -n ${inCommand} -l ${name}${option.type === 'boolean' ? '' : words} -d ${quoted(option.says)}`;
    }),
    ...(takesFile(command) ? [`complete -c dailies -n ${inCommand} -F`] : []),
    ...(command.name === 'completion' ? [`complete -c dailies -n ${inCommand} -a ${quoted(SHELLS.join(' '))}`] : []),
  ];
}
