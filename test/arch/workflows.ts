import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { parse } from 'yaml';
import { root } from './tools.ts';

/** The rules of workflows: GitHub's schema, pinned actions, few permissions, and steps that a shell can read. */

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Job {
  permissions?: Record<string, string>;
  steps?: Step[];
  uses?: string;
  'timeout-minutes'?: number;
}
interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const PINNED = /^\s*(?:- )?uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
const LOCAL = /^\s*(?:- )?uses: (\.\/\S+)$/;

/** Faults of a workflow, each as a sentence; none for one that is as it should be. `scripts` are those of package.json. */
export function faultsOf(text: string, scripts: object): string[] {
  const { errors } = validateWorkflow(text);
  if (errors.length > 0) return errors.map((error) => `schema: ${JSON.stringify(error)}`);
  const { permissions, jobs } = parse(text) as Workflow;
  return [
    ...(permissions && Object.keys(permissions).length === 0 ? [] : ['It gives rights to jobs that ask for none.']),
    ...text.split('\n').flatMap(faultsOfUse),
    ...Object.entries(jobs).flatMap(([name, job]) => faultsOfJob(job, scripts).map((fault) => `${name}: ${fault}`)),
  ];
}

function faultsOfUse(line: string): string[] {
  if (!/^\s*(?:- )?uses:/.test(line) || PINNED.test(line)) return [];
  const [, file] = LOCAL.exec(line) ?? [];
  if (file !== undefined && existsSync(join(root, file))) return [];
  return [`${line.trim()}: an action is named by its commit, with its version behind it.`];
}

function faultsOfJob(job: Job, scripts: object): string[] {
  const rights = Object.entries(job.permissions ?? {}).filter(([, right]) => right === 'write');
  return [
    ...(job.permissions ? [] : ['It does not say which rights it needs.']),
    ...(rights.length > 0 && (job.steps ?? []).some(({ run }) => /\bnpm (?:ci|test|run)\b/.test(run ?? ''))
      ? ['It runs code of packages with the right to write.']
      : []),
    ...(job.uses !== undefined || job['timeout-minutes'] !== undefined ? [] : ['It may run for hours.']),
    ...(job.steps ?? []).flatMap((step) => faultsOfStep(step, scripts)),
  ];
}

function faultsOfStep({ name, uses, run, with: given }: Step, scripts: object): string[] {
  const faults: string[] = [];
  if (uses?.startsWith('actions/checkout@') && given?.['persist-credentials'] !== false)
    faults.push('The checkout leaves its key behind.');
  if (run === undefined) return faults;
  // An event's text, such as a branch name, would be executed.
  if (run.includes('${{')) faults.push(`${name}: an expression in a script; it comes by env.`);
  const read = spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' });
  if (read.status !== 0) faults.push(`${name}: ${read.stderr}`);
  const named = [...run.matchAll(/npm run ([\w:]{1,40})/g)].map(([, script = '']) => script);
  for (const script of named) if (!(script in scripts)) faults.push(`${name}: there is no npm run ${script}.`);
  return faults;
}
