import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the tables of MATRIX.md, which hold the expected result of every cell for people and tests alike. */

export const APIS = ['chat', 'video', 'images'] as const;
export type Api = (typeof APIS)[number];
export const FAULTS = ['refused', 'reset', 'stall', 'garbage', 'truncated', '5xx', '429', 'redirect'] as const;
export type Fault = (typeof FAULTS)[number];
export const PHASES = ['connect', 'headers', 'first byte', 'mid-body', 'after the id', 'poll'] as const;
export type Phase = (typeof PHASES)[number];

export interface Cell {
  api: Api;
  fault: Fault;
  phase: Phase;
  /** `uncertain (network); doubt; 1 sent`, or `— why it cannot be`. */
  expected: string;
}

export const isImpossible = ({ expected }: Cell): boolean => expected.startsWith('—');

/** Every cell of every table, in order. Throws if a table, a row or a column is missing or unknown. */
export function readMatrix(): Cell[] {
  const text = readFileSync(join(import.meta.dirname, 'MATRIX.md'), 'utf8');
  return APIS.flatMap((api) => cellsOf(api, tableOf(text, api)));
}

function tableOf(text: string, api: Api): string[][] {
  const section = text.split(`\n## ${api}\n`)[1]?.split('\n## ')[0];
  if (section === undefined) throw new Error(`MATRIX.md has no table "${api}"`);
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function cellsOf(api: Api, [head = [], , ...rows]: string[][]): Cell[] {
  if (head.slice(1).join() !== PHASES.join()) throw new Error(`MATRIX.md, ${api}: the columns are ${head.join()}`);
  if (rows.map(([fault]) => fault).join() !== FAULTS.join()) throw new Error(`MATRIX.md, ${api}: the rows are wrong`);
  return FAULTS.flatMap((fault, row) =>
    PHASES.map((phase, column) => {
      const expected = rows[row]?.[column + 1] ?? '';
      if (!SHAPE.test(expected)) throw new Error(`MATRIX.md, ${api}, ${fault}, ${phase}: cannot read "${expected}"`);
      return { api, fault, phase, expected };
    }),
  );
}

const SHAPE = /^(— .{10,}|((queued|blocked \(\w+\)) → )?\w+( \(\w+\))?; (0|charged|doubt); \d sent)$/;
