import { contextBridge, ipcRenderer } from 'electron';

/** All that pages get: a forwarder over two channels. The main process checks what comes through. */
contextBridge.exposeInMainWorld('dailies', {
  call: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke('studio:call', name, input),
  subscribe(listener: (event: unknown) => void): () => void {
    const forward = (_: unknown, event: unknown) => listener(event);
    ipcRenderer.on('studio:event', forward);
    return () => void ipcRenderer.off('studio:event', forward);
  },
});
