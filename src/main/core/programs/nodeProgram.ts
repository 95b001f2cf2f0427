import { fork } from 'node:child_process';
import { bareEnvironment, type StartProgram } from './program.ts';

/** Starts it as another Node. */
export const startInNode: StartProgram = (file, { maxHeapMb, heard, ended }) => {
  const child = fork(file, {
    execArgv: maxHeapMb === undefined ? [] : [`--max-old-space-size=${maxHeapMb}`],
    env: bareEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let isOver = false;
  const kill = () => void child.kill('SIGKILL');
  const over = (reason: string, error?: Error): void => {
    if (isOver) return;
    isOver = true;
    process.off('exit', kill);
    kill();
    ended(reason, error);
  };
  // A busy process does not notice that its parent is gone.
  process.on('exit', kill);
  child.on('message', (message) => {
    if (!isOver) heard(message);
  });
  child.on('exit', (code, signal) => over(String(code ?? signal)));
  child.on('error', (error) => over(error.message, error));
  return {
    send: (message) =>
      void child.send(message as object, (error) => {
        if (error) over(error.message, error);
      }),
    setBusy(isBusy) {
      for (const held of [child, child.channel]) isBusy ? held?.ref() : held?.unref();
    },
    end() {
      if (child.connected) child.disconnect();
    },
    kill,
  };
};
