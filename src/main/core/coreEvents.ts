import { EventEmitter } from 'node:events';
import type { MediaTask } from '../../shared/library/asset.ts';
import type { ChatDelta } from './gateway/index.ts';
import type { WriteDb } from './store/index.ts';

/**
 * Events between modules. Listeners run synchronously, in the order in which the modules were built, and exceptions reach the emitter: an
 * event emitted in a transaction is part of it. Events for pages are `StudioEvent`s.
 */
export interface CoreEventMap {
  /** The user changed a profile or its key, which may have fixed it. */
  'profile.changed': [profileId: string];
  /** The keychain that may hold this profile's key is locked or does not answer. */
  'key.unreadable': [profileId: string];
  /** A gateway made a second job for a repeated key, against its documentation. */
  'key.ignored': [profileId: string];
  'budgets.changed': [];
  /** A run's window, budget or rules changed, or it ended. */
  'night.changed': [runId: string];
  /** The results of an answer are recorded; those contained in it are stored. */
  'results.recorded': [jobId: string];
  /** A download of a job ended, with or without a file. */
  'output.settled': [jobId: string];
  'mediaTask.ended': [assetId: string, kind: MediaTask['kind']];
  /** A gateway called a job's webhook. */
  'webhook.received': [jobId: string];
  /** The body of a webhook for a job without a known task id. */
  'webhook.bodyReceived': [jobId: string, body: string];
  /** A chunk of a streamed answer arrived and is being stored. */
  'stream.delta': [jobId: string, delta: ChatDelta];
  /** The text or state of a text job changed. */
  'textJob.changed': [jobId: string];
  /** A model's answer is complete. Emitted in the transaction that writes it. */
  'answer.written': [db: WriteDb, jobId: string];
  /** A job was retried as a new one, which replaces it in documents. Emitted in the transaction. */
  'job.retriedAsNew': [db: WriteDb, oldId: string, newId: string];
}

export type CoreEvents = EventEmitter<CoreEventMap>;

export const createCoreEvents = (): CoreEvents => new EventEmitter<CoreEventMap>();
