import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first in each group. A name that matches no file only costs time. */
const LONGEST = [
  'test/contract/filmExport.test.ts',
  'test/contract/electronQuit.test.ts',
  'test/contract/electron.test.ts',
  'test/contract/electronStart.test.ts',
  'test/contract/http.test.ts',
  'test/contract/electronLeave.test.ts',
  'test/contract/electronFiles.test.ts',
  'test/arch/growth.isolated.test.ts',
  'test/e2e/wholeFilm.test.ts',
  'test/e2e/nightJourney.test.ts',
  'test/e2e/parts/player.test.ts',
  'test/e2e/review.test.ts',
  'test/e2e/accessibility.test.ts',
  'test/e2e/parts/triage.test.ts',
  'test/model/model.test.ts',
  'test/torture/migrations.test.ts',
  'test/chaos/chaos.test.ts',
  'test/torture/chains.test.ts',
];

/** Starts slow files first: one that starts last leaves the other processors idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const found = LONGEST.indexOf(relative(project.config.root, moduleId).replaceAll('\\', '/'));
      return found < 0 ? LONGEST.length : found;
    };
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return (await super.sort(files)).toSorted((a, b) => group(a) - group(b) || place(a) - place(b));
  }
}
