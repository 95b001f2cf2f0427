import { Evidence } from '../../src/main/core/evidence/evidence.ts';
import { jobTable } from '../../src/main/core/jobs/index.ts';
import { hashesOfFile } from '../../src/main/core/library/index.ts';
import { billedLines } from '../../src/main/core/statements/index.ts';
import { ok } from '../../src/shared/contract/result.ts';
import type { EngineHarness } from './engineHarness.ts';

type Deps = ConstructorParameters<typeof Evidence>[0];

export const sha512Of = async (file: string): Promise<string> => (await hashesOfFile(file)).sha512;

/** The calls of evidence over an engine. */
export const evidenceOf = (one: EngineHarness, more: Partial<Deps> = {}): ReturnType<Evidence['handlers']> =>
  new Evidence({
    ...one,
    version: '9.9.9',
    hash: sha512Of,
    profiles: { get: () => one.profile, active: () => one.profile },
    exports: {} as never,
    jobs: jobTable,
    night: { report: () => ok({ run: { number: 25 } }) },
    storyboard: { takeNames: () => new Map(), projectName: () => 'The Crossing' },
    billed: billedLines,
    ...more,
  }).handlers();
