import type { Cdp } from './cdp.ts';
import { isolatedSource, MAIN_WORLD } from './worlds.ts';

const WORLD = 'Electron Isolated Context';

/** A frame as Electron's `WebFrameMain` shows it to a handler. */
export interface Frame {
  id: string;
  url: string;
}

export interface Message {
  frame: Frame;
  channel: string;
  /** Packed by `clones`, like the `value` of a reply. */
  args: unknown;
  reply(error: string | null, value?: unknown): void;
}

export interface Navigation {
  url: string;
  isMainFrame: boolean;
  isRedirect: boolean;
}

export interface PageHooks {
  message(message: Message): void;
  /** Whether a navigation that the page began may continue. */
  mayNavigate(navigation: Navigation): boolean;
  mayOpen(url: string): boolean;
  crashed(): void;
  closed(): void;
}

interface Context {
  id: number;
  frameId: string;
}

/** One Chromium page as the inside of a `BrowserWindow`, the preload in an isolated world of it. */
export class DoublePage {
  mainFrame: Frame = { id: '', url: 'about:blank' };
  private contexts: Context[] = [];
  private allowed = '';
  private crashed = false;
  private readonly cdp: Cdp;
  private readonly targetId: string;
  private readonly session: string;
  private readonly hooks: PageHooks;

  private constructor(cdp: Cdp, targetId: string, session: string, hooks: PageHooks) {
    this.cdp = cdp;
    this.targetId = targetId;
    this.session = session;
    this.hooks = hooks;
  }

  static async open(cdp: Cdp, preload: string, hooks: PageHooks): Promise<DoublePage> {
    const { targetId } = (await cdp.send('Target.createTarget', { url: 'about:blank' })) as { targetId: string };
    const attached = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new DoublePage(cdp, targetId, attached.sessionId as string, hooks);
    cdp.on(({ method, params, sessionId }) => {
      if (sessionId === page.session || sessionId === undefined) page.hear(method, params);
    });
    await page.send('Page.enable');
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: MAIN_WORLD });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: isolatedSource(preload), worldName: WORLD });
    await page.send('Runtime.enable');
    await page.send('Runtime.addBinding', { name: 'electronSend', executionContextName: WORLD });
    await page.send('Runtime.addBinding', { name: 'electronOpen' });
    await page.send('Inspector.enable');
    await page.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] });
    return page;
  }

  async load(url: string): Promise<void> {
    this.allowed = url;
    await this.send('Page.navigate', { url });
  }

  async reload(): Promise<void> {
    this.crashed = false;
    this.allowed = this.mainFrame.url;
    await this.send('Page.reload');
  }

  /** Chromium's protocol downloads nothing by itself, so the page gets a link and a click. */
  download(url: string): void {
    const link = `Object.assign(document.createElement('a'), { href: ${JSON.stringify(url)}, download: '' })`;
    void this.send('Runtime.evaluate', { expression: `${link}.click()` }).catch(() => {});
  }

  crash(): void {
    void this.send('Page.crash').catch(() => {});
  }

  /** `webContents.send` to the preload of the top frame. `value` is packed. */
  emit(channel: string, value: unknown): void {
    const context = this.contexts.find(({ frameId }) => frameId === this.mainFrame.id);
    if (context) this.evaluate(context.id, `electronEvent(${JSON.stringify(channel)}, ${JSON.stringify(value)})`);
  }

  /** The page gets its unload event; messages that it sends then still arrive. */
  async unload(): Promise<void> {
    if (this.crashed) return;
    await this.send('Runtime.evaluate', { expression: "dispatchEvent(new PageTransitionEvent('pagehide'))" });
  }

  async close(): Promise<void> {
    await this.cdp.send('Target.closeTarget', { targetId: this.targetId }).catch(() => {});
  }

  private send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    return this.cdp.send(method, params, this.session);
  }

  private evaluate(contextId: number, expression: string): void {
    // As in Electron, a closed page receives nothing.
    void this.send('Runtime.evaluate', { contextId, expression }).catch(() => {});
  }

  private hear(method: string, params: Record<string, unknown>): void {
    const hear = this.listeners[method];
    hear?.(params as never);
  }

  private readonly listeners: Record<string, (params: never) => void> = {
    'Page.frameNavigated': ({ frame }: { frame: { id: string; url: string; parentId?: string } }) => {
      if (frame.parentId === undefined) this.mainFrame = { id: frame.id, url: frame.url };
    },
    'Runtime.executionContextCreated': ({
      context,
    }: {
      context: { id: number; name: string; auxData: { frameId: string } };
    }) => {
      if (context.name === WORLD) this.contexts.push({ id: context.id, frameId: context.auxData.frameId });
    },
    'Runtime.executionContextDestroyed': ({ executionContextId }: { executionContextId: number }) => {
      this.contexts = this.contexts.filter(({ id }) => id !== executionContextId);
    },
    'Runtime.executionContextsCleared': () => {
      this.contexts = [];
    },
    'Runtime.bindingCalled': ({
      name,
      payload,
      executionContextId,
    }: {
      name: string;
      payload: string;
      executionContextId: number;
    }) => {
      if (name === 'electronSend') this.receive(payload, executionContextId);
      else if (this.hooks.mayOpen(payload)) throw new Error('The double opens no windows for pages.');
    },
    'Fetch.requestPaused': (params: {
      requestId: string;
      frameId: string;
      request: { url: string };
      redirectedRequestId?: string;
    }) => {
      const { url } = params.request;
      const isRedirect = params.redirectedRequestId !== undefined;
      const isMainFrame = this.mainFrame.id === '' || params.frameId === this.mainFrame.id;
      const own = isMainFrame && url === this.allowed;
      const go = own || this.hooks.mayNavigate({ url, isMainFrame, isRedirect });
      const { requestId } = params;
      if (go) void this.send('Fetch.continueRequest', { requestId }).catch(() => {});
      else void this.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => {});
    },
    'Target.targetCreated': ({ targetInfo }: { targetInfo: { targetId: string; openerId?: string; url: string } }) => {
      if (targetInfo.openerId !== this.targetId || this.hooks.mayOpen(targetInfo.url)) return;
      void this.closeOpened(targetInfo.targetId).catch(() => {});
    },
    'Target.targetDestroyed': ({ targetId }: { targetId: string }) => {
      if (targetId === this.targetId) this.hooks.closed();
    },
    'Inspector.targetCrashed': () => {
      this.crashed = true;
      this.hooks.crashed();
    },
  };

  /**
   * Closes a forbidden window that a link opened. While a debugger such as the test's is attached, the opener is paused until the debugger
   * resumes the new window. Closing it earlier would pause the opener for ever.
   */
  private async closeOpened(targetId: string): Promise<void> {
    const { sessionId } = await this.cdp.send('Target.attachToTarget', { targetId, flatten: true });
    await this.cdp.send('Runtime.runIfWaitingForDebugger', {}, sessionId as string);
    await this.cdp.send('Target.closeTarget', { targetId });
  }

  private receive(payload: string, contextId: number): void {
    const { id, channel, args } = JSON.parse(payload) as { id: number; channel: string; args: unknown };
    const context = this.contexts.find((known) => known.id === contextId);
    const frame = context?.frameId === this.mainFrame.id ? this.mainFrame : { id: context?.frameId ?? '', url: '' };
    this.hooks.message({
      frame,
      channel,
      args,
      reply: (error, value) =>
        this.evaluate(
          contextId,
          `electronReply(${id}, ${JSON.stringify(error)}, ${JSON.stringify(value ?? ['undefined'])})`,
        ),
    });
  }
}
