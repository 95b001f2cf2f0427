// The page's half of Electron's context bridge: runs before the page's scripts and creates what the preload exposes. The two halves talk
// through DOM events, which both worlds share. Functions are passed as numbers, everything else as structured clones.
(() => {
  const functions = [];
  const pending = new Map();
  let answer;

  const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail: JSON.stringify(detail) }));
  const heard = (type, hear) => document.addEventListener(type, (event) => hear(JSON.parse(event.detail)));
  const carry = (value) =>
    typeof value === 'function' ? { fn: functions.push(value) - 1 } : { value: clones.pack(value) };

  function call(target, args) {
    tell('bridge:call', { ...target, args: args.map(carry) });
    // DOM events are synchronous, so the other half has answered.
    const { promise, fn, value, error } = answer;
    if (error !== undefined) throw new Error(error);
    if (fn !== undefined) return (...more) => call({ returned: fn }, more);
    if (promise === undefined) return clones.unpack(value);
    return new Promise((resolve, reject) => pending.set(promise, { resolve, reject }));
  }

  // Electron asks the opener before a window exists. Creating a target and closing it again can close the page too, if a debugger holds new
  // targets.
  window.open = (url = '') => {
    electronOpen(new URL(url || 'about:blank', location.href).href);
    return null;
  };

  heard('bridge:answer', (detail) => {
    answer = detail;
  });
  heard('bridge:settle', ({ promise, value, error }) => {
    const waiting = pending.get(promise);
    pending.delete(promise);
    if (error === undefined) waiting?.resolve(clones.unpack(value));
    else waiting?.reject(new Error(error));
  });
  heard('bridge:back', ({ fn, args }) => functions[fn]?.(...args.map(clones.unpack)));
  heard('bridge:expose', ({ key, names }) => {
    const api = Object.fromEntries(names.map((name) => [name, (...args) => call({ key, name }, args)]));
    Object.defineProperty(window, key, { value: Object.freeze(api), enumerable: true });
  });
})();
