import { onTestFinished } from 'vitest';
import { LedgerWriter, totals } from '../../src/main/core/ledger/index.ts';
import { Statements } from '../../src/main/core/statements/index.ts';
import type { CallInput, CallName, CallOutput, Handlers } from '../../src/shared/contract/contract.ts';
import { parseInput, type Result } from '../../src/shared/contract/result.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { statementCalls } from '../../src/shared/money/statement/calls.ts';
import type { Statement } from '../../src/shared/money/statement/statement.ts';
import { acceptance, type EngineHarness, finished, lostAnswer, startEngine } from './engineHarness.ts';
import { countingIds } from './testPorts.ts';

/** The engine with two gateways, `p` and the sandbox, and the statements module. */

type StatementCall = Extract<CallName, `statement.${string}`>;

export interface StatementHarness extends EngineHarness {
  ask<Name extends StatementCall>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  answer<Name extends StatementCall>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>>;
  /** Reads a bill of the active gateway: a whole text, or lines under the header of {@link bill}. */
  readText(text: string, more?: Omit<CallInput<'statement.read'>, 'text'>): Promise<Statement>;
  readLines(...lines: string[]): Promise<Statement>;
  adopt(id: string, lines: readonly string[]): Promise<CallOutput<'statement.settle'>>;
  keep(id: string, lines: readonly string[]): Promise<CallOutput<'statement.settle'>>;
  undo(id: string, lines: readonly string[]): Promise<Statement>;
  look(id: string): Promise<Statement>;
  /** Runs the request to its end at this time, under this task id. */
  make(at: string, task: string, request: StudioRequest): Promise<Job>;
  /** Sends the request at this time; the reply is lost. */
  lose(at: string, request: StudioRequest): Promise<Job>;
  /** The idempotency key of a job, or of the only one. */
  keyOf(id?: string): string;
  /** Charged and unconfirmed, of real or test money. */
  sum(play: boolean): [settledNano: number, uncertainNano: number];
  /** Ledger entries of one side, with and without a job. */
  entries(): { id: string; job_id: string | null; settled_nano: number }[];
}

/** A bill with these lines, by task id. */
export const bill = (...lines: string[]): string => ['started_at,operation,model,amount_usd', ...lines].join('\n');

/** As {@link startStatements}; closed when the test is over. */
export function openStatements(options?: Parameters<typeof startStatements>[0]): StatementHarness {
  const harness = startStatements(options);
  onTestFinished(() => harness.close());
  return harness;
}

export function startStatements(options: Parameters<typeof startEngine>[0] = {}): StatementHarness {
  const harness = startEngine(options);
  const { store, clock, engine, profile } = harness;
  let count = 0;
  const ids = { ...countingIds(), id: (prefix: string) => `${prefix}_bill_${++count}` };
  const sandbox = { ...profile, id: 'sandbox', name: 'Sandbox' };
  const other = { ...profile, id: 'q', name: 'Other key' };
  const statements = new Statements({
    store,
    clock,
    ids,
    emit: () => undefined,
    profiles: {
      get: (id) => [profile, sandbox, other].find((known) => known.id === id),
      active: () => (harness.isPlay() ? sandbox : profile),
    },
    bills: engine.bills,
    ledger: new LedgerWriter({ clock, ids }),
  });
  const handlers = statements.handlers();
  const answer: StatementHarness['answer'] = async (name, input) => {
    const parsed = parseInput(statementCalls[name].input, input);
    return parsed.ok ? await (handlers[name] as Handlers[typeof name])(parsed.data as never) : (parsed as never);
  };
  const send = (at: string, request: StudioRequest): Promise<Job> => {
    clock.set(Date.parse(at));
    return harness.enqueue(request);
  };
  const ask: StatementHarness['ask'] = async (name, input) => {
    const result = await answer(name, input);
    if (!result.ok) throw new Error(result.error.message);
    return result.data;
  };
  const readText: StatementHarness['readText'] = (text, more = {}) => ask('statement.read', { text, ...more });
  return {
    ...harness,
    answer,
    ask,
    readText,
    readLines: (...lines) => readText(bill(...lines)),
    adopt: (id, lines) => ask('statement.settle', { id, lines: [...lines], as: 'adopt' }),
    keep: (id, lines) => ask('statement.settle', { id, lines: [...lines], as: 'keep' }),
    undo: (id, lines) => ask('statement.undo', { id, lines: [...lines] }),
    look: (id) => ask('statement.get', { id }),
    make: async (at, task, request) => {
      harness.script.submit.push(acceptance(clock, task));
      harness.script.poll.push(finished());
      return harness.untilEnd((await send(at, request)).id);
    },
    lose: async (at, request) => {
      harness.script.submit.push(lostAnswer);
      const { id } = await send(at, request);
      return harness.until(id, ({ state }) => state === 'uncertain');
    },
    keyOf: (id) => {
      const text = 'SELECT idempotency_key AS key FROM jobs WHERE id = coalesce($id, id)';
      return store.read.one<{ key: string }>({ name: 'test.key', text }, { id: id ?? null })?.key ?? '';
    },
    sum: (play) => {
      const { settledNano, uncertainNano } = totals(store.read, 'day', { play }).sum;
      return [settledNano, uncertainNano];
    },
    entries: () =>
      store.read.all({
        name: 'test.entries',
        text: 'SELECT id, job_id, settled_nano FROM ledger_entries ORDER BY seq',
      }),
  };
}

/** Whether the statement's sums add up, to the nano-dollar. */
export const holds = ({ sums }: Pick<Statement, 'sums'>): boolean =>
  sums.bill === sums.matched + sums.onlyBill + sums.differs;
