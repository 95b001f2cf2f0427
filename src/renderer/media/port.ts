/** Questions over a port between a page and the media frame in it, each with one answer. */

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

/** In the frame: takes the two ports that the page around it opens under a name, one for the questions of each side. */
export const servePorts = (name: string, serve: (page: MessagePort, own: MessagePort) => void): void =>
  window.addEventListener('message', ({ source, data, ports: [page, own] }) => {
    if (source === window.parent && data === name && page && own) serve(page, own);
  });

/** In the page: two ports into its frame, for the questions of the page and for those of the frame. */
export function openPorts(frame: Window, name: string): [own: MessagePort, frame: MessagePort] {
  const [own, other] = [new MessageChannel(), new MessageChannel()];
  // A sandboxed frame has no origin that could be named.
  frame.postMessage(name, '*', [own.port2, other.port2]);
  return [own.port1, other.port1];
}

/** Answers what is asked over the port, or says why not. */
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

/** Asks over the port; what is `moved` goes over without a copy. */
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
