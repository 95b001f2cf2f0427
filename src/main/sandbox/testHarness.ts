import OpenAI from 'openai';
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts';

/** A running sandbox, an independent client, and plain requests, for the sandbox's tests. */
export interface SandboxHarness {
  sandbox: Sandbox;
  openai: OpenAI;
  /** Sends JSON with both kinds of key. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

export async function openSandboxHarness(options: SandboxOptions = {}): Promise<SandboxHarness> {
  const sandbox = await startSandbox({ speed: 'fast', ...options });
  const keys = { authorization: `Bearer ${sandbox.apiKey}`, 'x-api-key': sandbox.apiKey };
  return {
    sandbox,
    openai: new OpenAI({ apiKey: sandbox.apiKey, baseURL: `${sandbox.baseUrl}/v1`, maxRetries: 0 }),
    send: (method, path, body, headers) =>
      fetch(path.startsWith('http') ? path : sandbox.baseUrl + path, {
        method,
        headers: { ...keys, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  };
}

/** Repeats a request until its answer passes. */
export async function until<T>(ask: () => Promise<T>, passes: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (passes(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

export interface ErrorBody {
  error: { message: string; type: string; code: string | null; param: string | null };
}

/** The error of a refused request: its status, and the OpenAI error object. */
export async function refusalOf(answer: Response): Promise<{ status: number } & ErrorBody['error']> {
  const { error } = (await answer.json()) as ErrorBody;
  return { status: answer.status, ...error };
}
