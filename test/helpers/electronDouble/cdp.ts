/** A connection to a running Chromium, speaking the Chrome DevTools Protocol in flat sessions. */
export interface Cdp {
  send(method: string, params?: object, sessionId?: string): Promise<Record<string, unknown>>;
  on(listener: (event: CdpEvent) => void): void;
}

export interface CdpEvent {
  method: string;
  // The shape depends on the method.
  params: Record<string, unknown>;
  sessionId?: string;
}

interface Reply {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

export async function connectCdp(url: string): Promise<Cdp> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, { resolve(value: Record<string, unknown>): void; reject(error: Error): void }>();
  const listeners: ((event: CdpEvent) => void)[] = [];
  let nextId = 1;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Reply & CdpEvent;
    if (message.id === undefined) {
      for (const listener of listeners) listener(message);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) call?.reject(new Error(message.error.message));
    else call?.resolve(message.result ?? {});
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error('Chromium does not answer.')), { once: true });
  });
  return {
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
      }),
    on: (listener) => void listeners.push(listener),
  };
}
