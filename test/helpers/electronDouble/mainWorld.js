// One half of Electron's context bridge: runs in the page's own world before its scripts, and makes what the preload exposes.
// The halves meet over DOM events, which both worlds share, and pass functions as numbers and all else as structured clones.
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
    // The other half has answered by now: DOM events are synchronous.
    const { promise, fn, value, error } = answer;
    if (error !== undefined) throw new Error(error);
    if (fn !== undefined) return (...more) => call({ returned: fn }, more);
    if (promise === undefined) return clones.unpack(value);
    return new Promise((resolve, reject) => pending.set(promise, { resolve, reject }));
  }

  // Electron asks before there is anything to show. A target that is made and closed again can take the page with it, where a debugger
  // holds new ones until it has looked at them.
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
