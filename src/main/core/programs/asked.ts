/** The side of the process that was started: who started it, as another Node or as a process of Electron, which names this differently. */
interface Asker {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** Electron's port to the process that started this one. */
interface ElectronPort {
  on(name: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

export function openAsker(): Asker {
  const { parentPort } = process as { parentPort?: ElectronPort };
  if (parentPort) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
    };
  }
  // Without the program nobody needs an answer. A process of Electron ends with it by itself.
  process.on('disconnect', () => process.exit());
  return {
    send: (message) => void process.send?.(message),
    onMessage: (listener) => process.on('message', listener),
  };
}
