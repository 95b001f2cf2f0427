import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, type Result } from '../../../shared/contract/result.ts';
import { en } from '../../../shared/text/texts.ts';
import { type Ports, type Studio, type StudioOptions, sandboxProfile } from '../../core/createStudio.ts';

export interface RunningSandbox {
  baseUrl: string;
  imagePrefix: string;
  vendor: string;
  imageAuthHeaders: string[];
  close(): Promise<void>;
}

export interface StudioRunParts {
  createStudio(ports: Ports, options: StudioOptions): Promise<Result<Studio>>;
  startSandbox(): Promise<RunningSandbox>;
  ports: Ports;
  options: Omit<StudioOptions, 'sandbox' | 'relaunch' | 'dailyBackups'>;
}

/** Nothing listens there, so its jobs wait. Without this profile another gateway would become active and spend real money. */
const NOT_RUNNING = { baseUrl: 'http://127.0.0.1:1', imagePrefix: 'image', vendor: 'sandbox', imageAuthHeaders: [] };
const REOPENING = fail('store_unavailable', en`The studio is being opened again; try in a moment.`);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * One run of a host: the built-in sandbox, and a studio that can be closed and reopened under its pages. Subscriptions survive that; calls
 * made meanwhile are refused. Throws the sentence for the user if the folder cannot be used.
 */
export async function openStudioRun(parts: StudioRunParts): Promise<Studio> {
  const { log } = parts.ports;
  const sandbox = await parts.startSandbox().catch((error: unknown) => {
    log.error({ error: String(error) }, 'the built-in sandbox does not start');
    return undefined;
  });
  const run = new StudioRun(parts, sandbox);
  await run.open();
  return run;
}

class StudioRun implements Studio {
  private studio: Studio | undefined;
  private refusal: Result<never> = REOPENING;
  private readonly listeners = new Set<(event: StudioEvent) => void>();
  private readonly parts: StudioRunParts;
  private readonly sandbox: RunningSandbox | undefined;
  private closing: Promise<void> | undefined;
  private isSendingOver = false;
  private reopening: Promise<unknown> = Promise.resolve();

  constructor(parts: StudioRunParts, sandbox: RunningSandbox | undefined) {
    this.parts = parts;
    this.sandbox = sandbox;
  }

  async open(): Promise<void> {
    const opened = await this.parts.createStudio(this.parts.ports, {
      ...this.parts.options,
      sandbox: profileOf(this.sandbox ?? NOT_RUNNING),
      dailyBackups: true,
      relaunch: (whileClosed) => {
        // Reopenings are serialized; one that is requested during another must not replace the promise that the end waits for.
        this.reopening = Promise.all([this.reopening, this.reopen(whileClosed)]);
      },
    });
    if (!opened.ok) throw new Error(opened.error.message);
    const studio = opened.data;
    if (this.isSendingOver) studio.stopSending();
    studio.subscribe((event) => this.emit(event));
    this.studio = studio;
  }

  /** Opens again whether or not `whileClosed` succeeded; if it failed, nothing has changed and its error is reported. */
  private async reopen(whileClosed: () => void): Promise<void> {
    const old = this.studio;
    if (!old || this.closing) return;
    this.studio = undefined;
    this.refusal = REOPENING;
    try {
      await old.close();
      const fault = this.faultOf(whileClosed);
      if (this.closing || this.isSendingOver) return;
      await this.open();
      this.emit({ type: 'studio.reopened' });
      if (fault !== undefined) this.emit({ type: 'notice', level: 'error', text: fault, urgent: true });
    } catch (error) {
      // A second studio beside one that may still be open would follow the same jobs.
      this.refusal = fail('store_unavailable', en`Dailies could not be opened again: ${reasonOf(error)}`);
      this.parts.ports.log.error({ error: String(error) }, 'the studio could not be opened again');
    }
  }

  private faultOf(whileClosed: () => void): string | undefined {
    try {
      whileClosed();
      return undefined;
    } catch (error) {
      this.parts.ports.log.error(
        { error: String(error) },
        'what was to be done while the studio was closed has failed',
      );
      return reasonOf(error);
    }
  }

  private emit(event: StudioEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  async call(name: string, input: unknown): Promise<Result<unknown>> {
    return this.studio ? this.studio.call(name, input) : this.refusal;
  }

  subscribe(listener: (event: StudioEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  readonly media: Studio['media'] = {
    open: (assetId) => this.studio?.media.open(assetId) ?? this.refusal,
    writeFilm: async (taskId, at, body) => {
      if (this.studio) return this.studio.media.writeFilm(taskId, at, body);
      body.destroy();
      return this.refusal;
    },
    upload: async (upload) => {
      if (this.studio) return this.studio.media.upload(upload);
      upload.body.destroy();
      return this.refusal;
    },
    receiveBundle: async (upload) => {
      if (this.studio) return this.studio.media.receiveBundle(upload);
      upload.body.destroy();
      return this.refusal;
    },
  };

  readonly exports: Studio['exports'] = {
    open: async (exportId, name) => this.studio?.exports.open(exportId, name) ?? this.refusal,
  };

  stopSending(): void {
    this.isSendingOver = true;
    this.studio?.stopSending();
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    // Also closes one that is just being opened.
    await this.reopening;
    await this.studio?.close();
    await this.sandbox?.close();
  }
}

const profileOf = ({ baseUrl, imagePrefix, vendor, imageAuthHeaders }: Omit<RunningSandbox, 'close'>) =>
  sandboxProfile({ baseUrl, imagePrefix, vendor, imageAuthHeaders });
