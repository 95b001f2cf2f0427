// Structured clones as text, for both sides of every boundary between processes and worlds. The value of this expression is { pack, unpack
// }. Throws Electron's error for what Electron cannot clone: functions, symbols, proxies, and page objects such as files and elements.
(() => {
  const refused = () => new Error('An object could not be cloned.');
  const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const own = (object) => Object.keys(object).map((key) => [key, object[key]]);
  const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

  /** Packs objects by their tag. `inside` packs a nested value. */
  const packers = {
    Array: (value, inside) => value.map(inside),
    Object: (value, inside) => own(value).map(([key, held]) => [key, inside(held)]),
    Map: (value, inside) => [...value].map(([key, held]) => [inside(key), inside(held)]),
    Set: (value, inside) => [...value].map(inside),
    Date: (value) => value.getTime(),
    RegExp: (value) => [value.source, value.flags],
    Error: (value) => [value.name, value.message],
    ArrayBuffer: (value) => base64(new Uint8Array(value)),
    Uint8Array: (value) => base64(value),
  };
  const makers = {
    Array: (made, inside) => filled([], made, (value, held) => value.push(inside(held))),
    Object: (made, inside) => filled({}, made, (value, [key, held]) => Object.assign(value, { [key]: inside(held) })),
    Map: (made, inside) => filled(new Map(), made, (value, [key, held]) => value.set(inside(key), inside(held))),
    Set: (made, inside) => filled(new Set(), made, (value, held) => value.add(inside(held))),
    Date: (made) => ({ value: new Date(made) }),
    RegExp: ([source, flags]) => ({ value: new RegExp(source, flags) }),
    Error: ([name, message]) => ({ value: Object.assign(new Error(message), { name }) }),
    ArrayBuffer: (made) => ({ value: bytesOf(made).buffer }),
    Uint8Array: (made) => ({ value: bytesOf(made) }),
  };
  /** Registers the object before it is filled, since its content may refer back to it. */
  function filled(value, made, add) {
    const fill = () => {
      for (const held of made) add(value, held);
    };
    return { value, fill };
  }

  function pack(given) {
    let cloned;
    try {
      cloned = structuredClone(given);
    } catch {
      throw refused();
    }
    const seen = new Map();
    const inside = (value) => {
      if (value === undefined) return ['undefined'];
      if (typeof value === 'bigint') return ['bigint', String(value)];
      if (typeof value === 'number' && !Number.isFinite(value)) return ['number', String(value)];
      if (value === null || typeof value !== 'object') return value;
      if (seen.has(value)) return ['again', seen.get(value)];
      const packer = packers[tagOf(value)];
      if (!packer) throw refused();
      seen.set(value, seen.size);
      return [tagOf(value), packer(value, inside)];
    };
    return inside(cloned);
  }

  function unpack(packed) {
    const seen = [];
    const inside = (part) => {
      if (!Array.isArray(part)) return part;
      const [tag, made] = part;
      if (tag === 'undefined') return undefined;
      if (tag === 'bigint') return BigInt(made);
      if (tag === 'number') return Number(made);
      if (tag === 'again') return seen[made];
      const { value, fill } = makers[tag](made, inside);
      seen.push(value);
      fill?.();
      return value;
    };
    return inside(packed);
  }

  return { pack, unpack };
})();
