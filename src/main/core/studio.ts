import type { Readable } from 'node:stream';
import type { UploadedBundle } from '../../shared/bundle/calls.ts';
import type { StudioEvent } from '../../shared/contract/events.ts';
import type { Result } from '../../shared/contract/result.ts';
import type { Asset } from '../../shared/library/asset.ts';
import type { MediaFile, MediaUpload, Ports } from './ports.ts';

/** The running studio, as a host sees it. */
export interface Studio {
  /** Parses the input and answers; an unknown name is `not_found`. Never throws. */
  call(name: string, input: unknown): Promise<Result<unknown>>;
  /** Every change, in order; the returned function unsubscribes. */
  subscribe(listener: (event: StudioEvent) => void): () => void;
  media: {
    /** The file of a local asset; only ids of the library. */
    open(assetId: string): Result<MediaFile>;
    /** Stores bytes in the library; the body is streamed and limited. */
    upload(upload: MediaUpload): Promise<Result<Asset>>;
    /** Keeps a bundle until it is opened (`bundle.open`) or discarded; the body is streamed. */
    receiveBundle(upload: Pick<MediaUpload, 'name' | 'body'>): Promise<Result<UploadedBundle>>;
    /** Writes bytes of a film that a media page has claimed. */
    writeFilm(taskId: string, at: number, body: Readable): Promise<Result<null>>;
  };
  exports: {
    /** A file of a finished export, by its listed name. */
    open(exportId: string, name: string): Promise<Result<MediaFile>>;
  };
  /** Stops sending. Everything else continues until {@link close}, so that pages can save. */
  stopSending(): void;
  /** Stops claiming, waits for what can end at once, closes the database. Open work resumes at the next start. */
  close(): Promise<void>;
}

/** Every change goes through one bus; a listener that throws does not affect the others. */
export function createBus({ log }: Pick<Ports, 'log'>) {
  const listeners = new Set<(event: StudioEvent) => void>();
  return {
    emit: (event: StudioEvent): void => {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          log.error({ error: String(error), event: event.type }, 'a listener threw');
        }
      }
    },
    subscribe: (listener: (event: StudioEvent) => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
