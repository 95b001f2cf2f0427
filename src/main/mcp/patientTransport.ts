import { Readable, type Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const NEW_LINE = 10;

/** The library's transport ends with its input; this one ends once all earlier input is answered. */
export function patientTransport(
  stdin: Readable,
  stdout: Writable,
): { transport: StdioServerTransport; input: Readable } {
  const answers = new OpenAnswers();
  async function* untilAnswered(): AsyncGenerator<Buffer> {
    let last: number | undefined;
    for await (const chunk of stdin as AsyncIterable<Buffer>) {
      last = chunk.at(-1);
      yield chunk;
    }
    // A message is parsed at its line end.
    if (last !== undefined && last !== NEW_LINE) yield Buffer.of(NEW_LINE);
    while (input.readableLength > 0) await nextTurn();
    await answers.complete();
  }
  const input = Readable.from(untilAnswered(), { objectMode: false });
  return { transport: new CountingTransport(input, stdout, answers), input };
}

/** Requests without an answer yet. */
class OpenAnswers {
  private readonly ids = new Set<RequestId>();
  private done: () => void = () => undefined;

  received(message: JSONRPCMessage): void {
    // A subscription has no answer, and neither has a canceled request.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.ids.add(message.id);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.remove(message.params?.requestId as RequestId | undefined);
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) this.remove(message.id);
  }

  complete(): Promise<void> {
    return new Promise((done) => {
      this.done = done;
      this.remove(undefined);
    });
  }

  private remove(id: RequestId | undefined): void {
    if (id !== undefined) this.ids.delete(id);
    if (this.ids.size === 0) this.done();
  }
}

class CountingTransport extends StdioServerTransport {
  private readonly answers: OpenAnswers;

  constructor(input: Readable, stdout: Writable, answers: OpenAnswers) {
    super(input, stdout);
    this.answers = answers;
  }

  override start(): Promise<void> {
    const { onmessage } = this;
    this.onmessage = (message) => {
      this.answers.received(message);
      onmessage?.(message);
    };
    return super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      this.answers.sent(message);
    }
  }
}
