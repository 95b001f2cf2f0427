import { parentPort, workerData } from 'node:worker_threads';
import type { EvidenceVerdict } from '../../../shared/evidence/calls.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { verifyEvidence } from './verifyEvidence.ts';
import { verifyPath } from './verifyPath.ts';

/** The program of the thread that proves one file or folder, and ends. */

/** An evidence file as text, or where it or a folder is. */
export type ProofQuestion = { text: string } | { path: string };

const question = workerData as ProofQuestion;
const answer: Result<EvidenceVerdict> =
  'text' in question ? ok(verifyEvidence(question.text)) : await verifyPath(question.path);
parentPort?.postMessage(answer);
