import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/** The ten slowest files of a run, and as its last line, for scripts that read only that: `N passed, N failed`. */
class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[], reason: TestRunEndReason): void {
    // Other reporters still write; the end of the process comes after them.
    process.once('exit', () => {
      process.stdout.write(`${slowestOf(modules)}${countsOf(modules, unhandled.length, reason)}\n`);
    });
  }
}

type Timed = Pick<TestModule, 'relativeModuleId' | 'diagnostic'>;

/** One line per file, with the seconds it takes to load and to run. */
function slowestOf(modules: readonly Timed[]): string {
  const timed = modules.map((module) => {
    const { collectDuration, duration } = module.diagnostic();
    return { file: module.relativeModuleId, ms: collectDuration + duration };
  });
  const slowest = timed.sort((one, other) => other.ms - one.ms).slice(0, 10);
  return slowest.map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}\n`).join('');
}

type Counted = Pick<TestModule, 'children' | 'state' | 'errors'>;

export function countsOf(modules: readonly Counted[], unhandled: number, reason: TestRunEndReason): string {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const passed = tests.filter((test) => test.result().state === 'passed').length;
  const failed = tests.filter((test) => test.result().state === 'failed').length;
  // A file that does not load, an error outside of tests, and a run without tests are failures too.
  const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0).length;
  const none = reason !== 'passed' && failed + broken + unhandled === 0 ? 1 : 0;
  return `${passed} passed, ${failed + broken + unhandled + none} failed`;
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export.
export default CountsReporter;
