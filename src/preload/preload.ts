import { contextBridge, ipcRenderer } from 'electron';

/** The one thing the pages get: a forwarder over two channels. What passes is checked on the other side. */
contextBridge.exposeInMainWorld('dailies', {
  call: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke('studio:call', name, input),
  subscribe(listener: (event: unknown) => void): () => void {
    const forward = (_: unknown, event: unknown) => listener(event);
    ipcRenderer.on('studio:event', forward);
    return () => void ipcRenderer.off('studio:event', forward);
  },
});
