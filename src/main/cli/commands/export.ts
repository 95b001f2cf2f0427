import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Export, FilmFormat } from '../../../shared/filmExport.ts';
import { fail, type Result } from '../../../shared/result.ts';
import type { StudioLink } from '../../link/index.ts';
import { type Command, done, failed, type Given, wrongUsage } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { projectNamed } from '../projects.ts';
import { name } from '../words.ts';

const FORMATS = ['mp4', 'fcpxml', 'otio', 'edl', 'csv'] as const satisfies readonly FilmFormat[];
const HOLES = ['refuse', 'still', 'skip'] as const;
const LOOK_MS = 400;

/** A film as files in a folder; it ends when they are written and read back. */
export const exportFilm: Command = {
  name: 'export',
  says: 'writes a film: an MP4, a timeline or a shot list with its media',
  takes: ['PROJECT'],
  options: {
    format: { type: 'string', value: FORMATS, says: 'what is written' },
    to: { type: 'string', value: 'FOLDER', says: 'where a folder for it is made' },
    holes: { type: 'string', value: HOLES, says: 'what becomes of a shot without a clip (refuse)' },
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
    const made = makeFolder(folder);
    if (!made.ok) return failed(made.error);
    const started = await opened.data.call('film.export', { projectId: project.data.id, format, holes, folder });
    if (!started.ok) return failed(started.error);
    const ended = await untilEnded(opened.data, started.data, terminal);
    if (!ended.ok) return failed(ended.error);
    const { state, error, files } = ended.data;
    if (state !== 'done')
      return { ...failed({ code: 'wrong_state', message: error ?? 'The export was canceled.' }), code: EXIT.failed };
    return done(ended.data, [ended.data.folder, ...files.map((file) => `  ${name(file.name)}`), ...whyOf(ended.data)]);
  },
};

const whyOf = ({ why }: Export): string[] => (why === undefined ? [] : [name(why)]);

function makeFolder(folder: string): Result<null> {
  try {
    mkdirSync(folder, { recursive: true });
    return { ok: true, data: null };
  } catch (error) {
    return fail('wrong_state', `--to: ${error instanceof Error ? error.message : String(error)}. Nothing was written.`);
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
