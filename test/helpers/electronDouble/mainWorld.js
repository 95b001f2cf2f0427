// One half of Electron's context bridge: runs in the page's own world before its scripts, and makes what the preload exposes.
// The halves meet over DOM events, which both worlds share, and pass JSON only, as Electron passes clones only.
(() => {
  const functions = [];
  const pending = new Map();
  let answer;

  const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail: JSON.stringify(detail) }));
  const heard = (type, hear) => document.addEventListener(type, (event) => hear(JSON.parse(event.detail)));
  const clone = (value) => (typeof value === 'function' ? { fn: functions.push(value) - 1 } : { value });

  function call(target, args) {
    tell('bridge:call', { ...target, args: args.map(clone) });
    // The other half has answered by now: DOM events are synchronous.
    const { promise, fn, value, error } = answer;
    if (error !== undefined) throw new Error(error);
    if (fn !== undefined) return (...more) => call({ returned: fn }, more);
    return promise === undefined ? value : new Promise((resolve, reject) => pending.set(promise, { resolve, reject }));
  }

  heard('bridge:answer', (detail) => {
    answer = detail;
  });
  heard('bridge:settle', ({ promise, value, error }) => {
    const waiting = pending.get(promise);
    pending.delete(promise);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  });
  heard('bridge:back', ({ fn, args }) => functions[fn]?.(...args));
  heard('bridge:expose', ({ key, names }) => {
    const api = Object.fromEntries(names.map((name) => [name, (...args) => call({ key, name }, args)]));
    Object.defineProperty(window, key, { value: Object.freeze(api), enumerable: true });
  });
})();
