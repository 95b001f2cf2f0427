import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/** The last line of a run, for scripts that read only that: `N passed, N failed`. */
class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[], reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const failed = tests.filter((test) => test.result().state === 'failed').length;
    // A file that does not load and an error outside every test are failures too, and so is a run without tests.
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0).length;
    const none = reason !== 'passed' && failed + broken + unhandled.length === 0 ? 1 : 0;
    // Other reporters still write; the end of the process is after all of them.
    process.once('exit', () => {
      process.stdout.write(`${passed} passed, ${failed + broken + unhandled.length + none} failed\n`);
    });
  }
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export.
export default CountsReporter;
