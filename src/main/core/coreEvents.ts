import { EventEmitter } from 'node:events';
import type { MediaTask } from '../../shared/library/asset.ts';
import type { ChatDelta } from './gateway/index.ts';
import type { WriteDb } from './store/index.ts';

/**
 * What happens in one module and concerns others. Listeners are called synchronously, in the order in which the modules were built, and an
 * exception reaches the emitter: an event that is emitted in a transaction is part of it. Events for the pages are `StudioEvent`s.
 */
export interface CoreEventMap {
  /** The user has changed a profile or its key, which may have fixed it. */
  'profile.changed': [profileId: string];
  /** The keychain that may hold this profile's key was seen to be locked, or not to answer. */
  'key.unreadable': [profileId: string];
  /** A service took a second request under the key of the first, although it is documented not to. */
  'key.ignored': [profileId: string];
  'budgets.changed': [];
  /** A night's window, cap or rules changed, or it ended. */
  'night.changed': [runId: string];
  /** The results of an answer are recorded; those that came inside it are here. */
  'results.recorded': [jobId: string];
  /** A download of a job has ended, with or without a file. */
  'output.settled': [jobId: string];
  'mediaTask.ended': [assetId: string, kind: MediaTask['kind']];
  /** A service has called a job's webhook. */
  'webhook.received': [jobId: string];
  /** The body of a webhook for a job whose task id is unknown. */
  'webhook.bodyReceived': [jobId: string, body: string];
  /** A chunk of a streamed answer has arrived and is being stored. */
  'stream.delta': [jobId: string, delta: ChatDelta];
  /** The text or the state of a job whose result is text has changed. */
  'textJob.changed': [jobId: string];
  /** A model's answer was received whole. Emitted in the transaction that writes it. */
  'answer.written': [db: WriteDb, jobId: string];
  /** A job was retried as a new one: documents that name the old one name the new one. Emitted in the transaction. */
  'job.retriedAsNew': [db: WriteDb, oldId: string, newId: string];
}

export type CoreEvents = EventEmitter<CoreEventMap>;

export const createCoreEvents = (): CoreEvents => new EventEmitter<CoreEventMap>();
