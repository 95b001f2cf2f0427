/** Requests over a port between a page and its media frame, each with one answer. */

interface Question {
  id: number;
  asked: unknown;
}

interface Answer {
  id: number;
  value?: unknown;
  error?: string;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** In the frame: receives the two ports that the page opens under a name, one for the requests of each side. */
export const servePorts = (name: string, serve: (page: MessagePort, own: MessagePort) => void): void =>
  window.addEventListener('message', ({ source, data, ports: [page, own] }) => {
    if (source === window.parent && data === name && page && own) serve(page, own);
  });

/** In the page: opens two ports to the frame, one for the requests of each side. */
export function openPorts(frame: Window, name: string): [own: MessagePort, frame: MessagePort] {
  const [own, other] = [new MessageChannel(), new MessageChannel()];
  // A sandboxed frame has no origin to name.
  frame.postMessage(name, '*', [own.port2, other.port2]);
  return [own.port1, other.port1];
}

/** Answers requests over the port, or says why not. */
export function answerOver<Asked>(port: MessagePort, answer: (asked: Asked) => Promise<unknown>): void {
  port.onmessage = async ({ data }: MessageEvent<unknown>) => {
    const { id = 0, asked } = (data ?? {}) as Partial<Question>;
    const said = await answer(asked as Asked).then(
      (value): Answer => ({ id, value }),
      (error: unknown): Answer => ({ id, error: messageOf(error) }),
    );
    port.postMessage(said);
  };
}

/** Sends a request over the port; `moved` is transferred without a copy. */
export function askOver(port: MessagePort): (asked: unknown, moved?: Transferable[]) => Promise<unknown> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const { id, value, error } = (data ?? {}) as Partial<Answer>;
    const asked = waiting.get(Number(id));
    waiting.delete(Number(id));
    if (typeof error === 'string') asked?.reject(new Error(error));
    else asked?.resolve(value);
  };
  return (asked, moved = []) => {
    count += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(count, answer);
    port.postMessage({ id: count, asked } satisfies Question, moved);
    return answer.promise;
  };
}
