import type { StudioEvent } from '../../../shared/events.ts';
import { type Profile, profileSchema, SANDBOX_PROFILE_ID } from '../../../shared/profile.ts';
import { fail, type Result } from '../../../shared/result.ts';
import type { Ports, StudioOptions } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';

/** The built-in gateway, as far as a host sees it. */
export interface RunningSandbox {
  baseUrl: string;
  imagePrefix: string;
  vendor: string;
  imageAuthHeaders: string[];
  close(): Promise<void>;
}

export interface SessionParts {
  createStudio(ports: Ports, options: StudioOptions): Promise<Studio>;
  startSandbox(): Promise<RunningSandbox>;
  ports: Ports;
  options: Omit<StudioOptions, 'sandbox' | 'relaunch'>;
}

const REOPENING = fail('store_unavailable', 'The studio is being opened again; try in a moment.');

/**
 * One run of a host: the built-in sandbox and a studio that can be closed and opened again under the same pages.
 * Subscriptions outlive that; calls made meanwhile are refused.
 */
export async function openSession(parts: SessionParts): Promise<Studio> {
  const { log } = parts.ports;
  const sandbox = await parts.startSandbox().catch((error: unknown) => {
    log.error({ error: String(error) }, 'the built-in sandbox does not start');
    return undefined;
  });
  const session = new Session(parts, sandbox);
  await session.open();
  return session;
}

class Session implements Studio {
  private studio: Studio | undefined;
  private readonly listeners = new Set<(event: StudioEvent) => void>();
  private readonly parts: SessionParts;
  private readonly sandbox: RunningSandbox | undefined;
  private closing: Promise<void> | undefined;

  constructor(parts: SessionParts, sandbox: RunningSandbox | undefined) {
    this.parts = parts;
    this.sandbox = sandbox;
  }

  async open(): Promise<void> {
    const studio = await this.parts.createStudio(this.parts.ports, {
      ...this.parts.options,
      ...(this.sandbox ? { sandbox: sandboxProfile(this.sandbox) } : {}),
      relaunch: () => void this.reopen(),
    });
    studio.subscribe((event) => {
      for (const listener of this.listeners) listener(event);
    });
    this.studio = studio;
  }

  private async reopen(): Promise<void> {
    const old = this.studio;
    if (!old || this.closing) return;
    this.studio = undefined;
    try {
      await old.close();
      if (!this.closing) await this.open();
    } catch (error) {
      this.parts.ports.log.error({ error: String(error) }, 'the studio could not be opened again');
    }
  }

  async call(name: string, input: unknown): Promise<Result<unknown>> {
    return this.studio ? this.studio.call(name, input) : REOPENING;
  }

  subscribe(listener: (event: StudioEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  readonly media: Studio['media'] = {
    open: (assetId) => this.studio?.media.open(assetId) ?? REOPENING,
    upload: async (upload) => {
      if (this.studio) return this.studio.media.upload(upload);
      upload.body.destroy();
      return REOPENING;
    },
  };

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    await this.studio?.close();
    await this.sandbox?.close();
  }
}

function sandboxProfile({ baseUrl, imagePrefix, vendor, imageAuthHeaders }: RunningSandbox): Profile {
  const profile = profileSchema.parse({ baseUrl, imagePrefix, vendor, imageAuthHeaders });
  return { ...profile, id: SANDBOX_PROFILE_ID, name: 'Sandbox' };
}
