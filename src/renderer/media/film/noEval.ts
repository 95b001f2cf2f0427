/**
 * The glue code of the software encoder (Emscripten's embind) builds functions from text, which our content policy forbids. In the
 * encoder's worker, `Function` returns equivalent functions for its four kinds of text and refuses any other. Import this before the
 * encoder.
 */
type Anything = (...args: unknown[]) => unknown;

function functionOf(...texts: string[]): Anything {
  const names = texts.slice(0, -1);
  const body = texts.at(-1) ?? '';
  if (names.length === 0 && body === 'return this') return () => globalThis;
  if (names.join() === 'body' && body.includes('return body.apply(this, arguments)')) return passThrough;
  if (names.join() === 'dynCall,rawFunction' && body.startsWith('return function dynCall_')) return dynamicCall;
  if (names.join().startsWith(INVOKER) && body.startsWith('return function ')) return invoker(names.slice(6), body);
  throw new Error('The encoder wants to run text as a program, which is not allowed here.');
}

const passThrough: Anything = (inner) =>
  function (this: unknown, ...args: unknown[]) {
    return (inner as Anything).apply(this, args);
  };

const dynamicCall: Anything = (dynCall, rawFunction) => {
  const called: Anything = (...args) => (dynCall as Anything)(rawFunction, ...args);
  return called;
};

const INVOKER = 'throwBindingError,invoker,fn,runDestructors,retType,classParam';

interface WireType {
  toWireType(destructors: unknown[] | null, value: unknown): unknown;
  fromWireType(value: unknown): unknown;
}

/** A method of an embind class: converts each argument into the encoder's memory, calls, and frees what it allocated. */
function invoker(more: readonly string[], body: string): Anything {
  const count = more.filter((name) => name.startsWith('argType')).length;
  const undone = more.slice(count);
  const isMethod = body.includes('var thisWired');
  const hasStack = body.includes('var destructors = []');
  const returns = body.includes('return ret;');
  return (_throwBindingError, invoke, fn, runDestructors, retType, classParam, ...rest) => {
    const argTypes = rest.slice(0, count) as WireType[];
    const undo = rest.slice(count) as Anything[];
    return function (this: unknown, ...args: unknown[]) {
      const stack = hasStack ? [] : null;
      const self = isMethod ? [(classParam as WireType).toWireType(stack, this)] : [];
      const wired = argTypes.map((type, index) => type.toWireType(stack, args[index]));
      const answer = (invoke as Anything)(fn, ...self, ...wired);
      if (hasStack) (runDestructors as Anything)(stack);
      for (const [index, name] of undone.entries()) undo[index]?.(wiredAs(name, self, wired));
      return returns ? (retType as WireType).fromWireType(answer) : undefined;
    };
  };
}

/** The value that `thisWired_dtor` or `arg2Wired_dtor` frees. */
const wiredAs = (name: string, self: readonly unknown[], wired: readonly unknown[]): unknown =>
  name.startsWith('this') ? self[0] : wired[Number.parseInt(name.slice('arg'.length), 10)];

// The glue asks whether a constructor is a function.
Object.defineProperty(functionOf, Symbol.hasInstance, { value: (value: unknown) => typeof value === 'function' });
functionOf.prototype = Function.prototype;
Object.defineProperty(globalThis, 'Function', { value: functionOf, writable: true, configurable: true });
