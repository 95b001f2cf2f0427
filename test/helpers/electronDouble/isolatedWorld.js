// The isolated world's half of the context bridge; the preload gets it as `require('electron')`. An expression; its value is the module.
// `electronSend` sends to the main process, `clones` packs structured clones.
(() => {
  const apis = {};
  const returned = [];
  const replies = new Map();
  const listeners = new Map();
  let nextId = 1;

  const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail: JSON.stringify(detail) }));
  const back = (fn, args) => tell('bridge:back', { fn, args: args.map(clones.pack) });
  const real = ({ fn, value }) => (fn === undefined ? clones.unpack(value) : (...args) => back(fn, args));

  function describe(result) {
    if (typeof result === 'function') return { fn: returned.push(result) - 1 };
    if (!(result instanceof Promise)) return { value: clones.pack(result) };
    const promise = nextId++;
    result.then(
      (value) => tell('bridge:settle', { promise, value: clones.pack(value) }),
      (error) => tell('bridge:settle', { promise, error: String(error) }),
    );
    return { promise };
  }

  document.addEventListener('bridge:call', (event) => {
    const { key, name, returned: index, args } = JSON.parse(event.detail);
    const run = index === undefined ? apis[key][name] : returned[index];
    try {
      tell('bridge:answer', describe(run(...args.map(real))));
    } catch (error) {
      tell('bridge:answer', { error: String(error) });
    }
  });

  globalThis.electronReply = (id, error, value) => {
    const { resolve, reject } = replies.get(id);
    replies.delete(id);
    if (error === null) resolve(clones.unpack(value));
    else reject(new Error(error));
  };
  globalThis.electronEvent = (channel, value) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, clones.unpack(value));
  };

  const ipcRenderer = {
    async invoke(channel, ...args) {
      const message = JSON.stringify({ id: nextId, channel, args: clones.pack(args) });
      const id = nextId++;
      return new Promise((resolve, reject) => {
        replies.set(id, { resolve, reject });
        electronSend(message);
      });
    },
    on: (channel, listener) => listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener)),
    off: (channel, listener) => listeners.get(channel)?.delete(listener),
  };
  const contextBridge = {
    exposeInMainWorld(key, api) {
      apis[key] = api;
      tell('bridge:expose', { key, names: Object.keys(api) });
    },
  };
  return { contextBridge, ipcRenderer };
})();
