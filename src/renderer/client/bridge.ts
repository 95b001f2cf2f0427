import type { Asset } from '../../shared/asset.ts';
import { fail, type Result } from '../../shared/result.ts';
import type { DailiesBridge, Transport } from './transport.ts';

/** Electron: calls and events over the preload's bridge, bytes over the `studio-media` scheme. */
export function bridgeTransport(bridge: DailiesBridge): Transport {
  return {
    host: 'electron',
    call: async (name, input) => {
      try {
        return await bridge.call(name, input ?? {});
      } catch {
        return fail('unreachable', 'The studio does not answer. Restart Dailies; nothing that was written is lost.');
      }
    },
    subscribe(onEvent, onLink) {
      onLink('up');
      return bridge.subscribe(onEvent);
    },
    mediaUrl: (assetId) => `studio-media://asset/${encodeURIComponent(assetId)}`,
    upload: async (body, name, taskId) => {
      const query = new URLSearchParams(taskId ? { name, task: taskId } : { name });
      try {
        const response = await fetch(`studio-media://upload/?${query}`, { method: 'PUT', body });
        return (await response.json()) as Result<Asset>;
      } catch {
        return fail('unreachable', 'The file could not be handed to the studio.');
      }
    },
  };
}
