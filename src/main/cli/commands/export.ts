import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Export, FilmFormat } from '../../../shared/film/filmExport.ts';
import { isLost, type StudioLink } from '../../link/index.ts';
import { type Command, done, failed, type Given, wrongUsage } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { projectNamed } from '../projects.ts';
import { name } from '../words.ts';

const FORMATS = ['mp4', 'fcpxml', 'otio', 'edl', 'csv'] as const satisfies readonly FilmFormat[];
const HOLES = ['refuse', 'still', 'skip'] as const;
const LOOK_MS = 400;

/** Exports a film into a folder; ends when the files are written and verified. */
export const exportFilm: Command = {
  name: 'export',
  says: 'writes a film: an MP4, a timeline or a shot list with its media',
  takes: ['PROJECT'],
  options: {
    format: { type: 'string', value: FORMATS, says: 'the format' },
    to: { type: 'string', value: 'FOLDER', says: 'the folder in which a folder for it is made' },
    holes: { type: 'string', value: HOLES, says: 'what to do with a shot without a clip (refuse)' },
  },
  async run({ args: [wanted = ''], flags, link, terminal }) {
    const format = FORMATS.find((one) => one === flags.format);
    const holes = HOLES.find((one) => one === (flags.holes ?? 'refuse'));
    if (!format) return wrongUsage(`--format must be one of ${FORMATS.join(', ')}.`);
    if (!holes) return wrongUsage(`--holes must be one of ${HOLES.join(', ')}.`);
    if (typeof flags.to !== 'string' || flags.to === '') return wrongUsage('--to must name a folder.');
    const folder = resolve(flags.to);
    const opened = await link();
    if (!opened.ok) return failed(opened.error);
    const project = await projectNamed(opened.data, wanted);
    if (!project.ok) return failed(project.error);
    const folders = makeFolders(folder);
    if (!folders.ok) return failed(folders.error);
    const started = await opened.data.call('film.export', { projectId: project.data.id, format, holes, folder });
    if (!started.ok) {
      // After a lost answer the export may still write there.
      if (!isLost(started.error)) removeEmpty(folders.data);
      return failed(started.error);
    }
    const ended = await untilEnded(opened.data, started.data, terminal);
    if (!ended.ok) return failed(ended.error);
    const { state, files } = ended.data;
    if (state !== 'done') return { ...failed({ code: 'wrong_state', message: endOf(ended.data) }), code: EXIT.failed };
    return done(ended.data, [ended.data.folder, ...files.map((file) => `  ${name(file.name)}`), ...whyOf(ended.data)]);
  },
};

/** Why it failed or was canceled, and what is left half written. */
const endOf = ({ state, error }: Export): string =>
  [state === 'canceled' && 'The export was canceled.', error].filter(Boolean).join(' ');

const whyOf = ({ why }: Export): string[] => (why === undefined ? [] : [name(why)]);

/** Creates the folder and its missing parents; returns the created paths, outermost first. */
function makeFolders(folder: string): Result<string[]> {
  const made: string[] = [];
  try {
    // Not with `recursive`, which never ends where nothing can be created, as in /proc.
    for (const one of missingFolders(folder)) {
      if (existsSync(one)) continue;
      mkdirSync(one);
      made.push(one);
    }
    return ok(made);
  } catch (error) {
    removeEmpty(made);
    return fail('wrong_state', `--to: ${error instanceof Error ? error.message : String(error)}. Nothing was written.`);
  }
}

/** The folder and its missing parents, outermost first. */
function missingFolders(folder: string): string[] {
  const outer = dirname(folder);
  return outer === folder || existsSync(outer) ? [folder] : [...missingFolders(outer), folder];
}

/** Removes folders that were created for nothing, innermost first, up to the first that is not empty. */
function removeEmpty(made: readonly string[]): void {
  try {
    for (const folder of made.toReversed()) rmdirSync(folder);
  } catch {
    // A folder that cannot be removed stays: the refusal is what matters.
  }
}

async function untilEnded(
  { call }: StudioLink,
  { id, progress }: Export,
  terminal: Given['terminal'],
): Promise<Result<Export>> {
  let told = progress;
  for (;;) {
    const answer = await call('exports.get', { id });
    if (!answer.ok || answer.data.state !== 'running') return answer;
    if (answer.data.progress >= told + 10) {
      told = answer.data.progress;
      terminal.say(`${Math.floor(told)} %`);
    }
    await pause(LOOK_MS);
  }
}
