import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EvidenceDocument } from '../../../shared/evidence/document.ts';
import { sealed } from '../proof/index.ts';
import { evidenceHtml, letterHtml } from './html.ts';

/** The files of a dispute. */
export interface DisputeFile {
  name: string;
  mime: string;
  text: string;
}

/** The text of `evidence.json`: jobs are written one by one, so that nothing waits for a long list. */
export async function evidenceText({ jobs, ...head }: EvidenceDocument): Promise<string> {
  const pieces: string[] = [];
  for (const [index, job] of jobs.entries()) {
    if (index % TURN === TURN - 1) await nextTurn();
    pieces.push(`    ${JSON.stringify(job, null, 2).replaceAll('\n', '\n    ')}`);
  }
  const start = JSON.stringify(head, null, 2).slice(0, -2);
  return sealed(`${start},\n  "jobs": [\n${pieces.join(',\n')}\n  ]\n}`);
}

const TURN = 50;

export async function disputeFiles(document: EvidenceDocument, letter: readonly string[]): Promise<DisputeFile[]> {
  return [
    { name: 'letter.txt', mime: 'text/plain', text: `${letter.join('\n\n')}\n` },
    { name: 'letter.html', mime: 'text/html', text: letterHtml(letter) },
    { name: 'evidence.json', mime: 'application/json', text: await evidenceText(document) },
    { name: 'evidence.html', mime: 'text/html', text: await evidenceHtml(document, letter) },
  ];
}
