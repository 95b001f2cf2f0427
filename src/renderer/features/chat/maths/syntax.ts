import type { CompileContext, Token, Extension as TreeExtension } from 'mdast-util-from-markdown';
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from 'micromark-util-types';
import { MOST_FORMULA } from '../limits.ts';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    maths: 'maths';
    mathsText: 'mathsText';
  }
}

/**
 * Formulas within a text, for remark: `\(x\)` and `$x$` in the line, `\[x\]` and `$$x$$` displayed. Dollars follow Pandoc's rule
 * (`tex_math_dollars`: no blank after the first, none before the last, no digit behind it), and two more keep prices out: no letter,
 * digit or dollar stands before the first, and what begins with a digit ends before its first blank.
 */

const DOLLAR = 36;
const ROUND = 40;
const BACKSLASH = 92;
const SQUARE = 91;

const CLOSERS = { [ROUND]: [BACKSLASH, 41], [SQUARE]: [BACKSLASH, 93], [DOLLAR]: [DOLLAR, DOLLAR] };

const isBlank = (code: Code): boolean => code === null || code < 0 || code === 32;
const isDigit = (code: Code): boolean => code !== null && code >= 48 && code <= 57;
const isWord = (code: Code): boolean => code !== null && code > 0 && /[\p{L}\p{N}$]/u.test(String.fromCharCode(code));

function tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const { previous } = this;
  return (code) => {
    if (code === DOLLAR && isWord(previous)) return nok(code);
    effects.enter('maths');
    effects.enter('mathsText');
    effects.consume(code);
    return code === DOLLAR ? afterDollar(effects, ok, nok) : afterBackslash(effects, ok, nok);
  };
}

const afterBackslash =
  (effects: Effects, ok: State, nok: State): State =>
  (code) => {
    if (code !== ROUND && code !== SQUARE) return nok(code);
    effects.consume(code);
    return until(effects, CLOSERS[code], ok, nok);
  };

const afterDollar =
  (effects: Effects, ok: State, nok: State): State =>
  (code) => {
    if (code !== DOLLAR) return isBlank(code) ? nok(code) : untilDollar(effects, ok, nok, isDigit(code))(code);
    effects.consume(code);
    return until(effects, CLOSERS[DOLLAR], ok, nok);
  };

/** To the two characters that end it; what a backslash stands before ends nothing else. */
function until(effects: Effects, closer: readonly number[], ok: State, nok: State): State {
  const [first, second] = closer;
  let length = 0;
  let isEmpty = true;
  const inside: State = (code) => {
    if (code === null || ++length > MOST_FORMULA) return nok(code);
    if (code < 0) return lineEnd(effects, code, inside);
    effects.consume(code);
    if (code === first || code === BACKSLASH) return code === first ? ending : escaped;
    isEmpty &&= isBlank(code);
    return inside;
  };
  const escaped: State = (code) => {
    isEmpty = false;
    if (code === null || code < 0) return inside(code);
    effects.consume(code);
    return inside;
  };
  const ending: State = (code) => {
    if (code !== second) return first === BACKSLASH ? escaped(code) : inside(code);
    if (isEmpty) return nok(code);
    return end(effects, code, ok);
  };
  return inside;
}

/** To a single dollar that may end it. */
function untilDollar(effects: Effects, ok: State, nok: State, isNumber: boolean): State {
  let before: Code = null;
  let length = 0;
  const inside: State = (code) => {
    if (code === null || ++length > MOST_FORMULA || (isNumber && isBlank(code))) return nok(code);
    if (code < 0) {
      before = code;
      return lineEnd(effects, code, inside);
    }
    const isLast = code === DOLLAR && !isBlank(before) && before !== BACKSLASH;
    before = before === BACKSLASH ? null : code;
    effects.consume(code);
    return isLast ? after : inside;
  };
  const after: State = (code) => {
    if (isDigit(code) || code === DOLLAR) return nok(code);
    effects.exit('mathsText');
    effects.exit('maths');
    return ok(code);
  };
  return inside;
}

function end(effects: Effects, code: Code, ok: State): State {
  effects.consume(code);
  effects.exit('mathsText');
  effects.exit('maths');
  return ok;
}

function lineEnd(effects: Effects, code: Code, next: State): State {
  effects.exit('mathsText');
  effects.enter('lineEnding');
  effects.consume(code);
  effects.exit('lineEnding');
  return (first) => {
    effects.enter('mathsText');
    return next(first);
  };
}

const construct: Construct = { name: 'maths', tokenize };
const syntax: Extension = { text: { [DOLLAR]: construct, [BACKSLASH]: construct } };

const tree: TreeExtension = {
  exit: {
    maths(this: CompileContext, token: Token) {
      const written = this.sliceSerialize(token);
      const isDisplayed = written.startsWith('$$') || written.startsWith('\\[');
      const marks = isDisplayed || written.startsWith('\\') ? 2 : 1;
      const value = written.slice(marks, -marks);
      const className = isDisplayed ? 'maths-displayed' : 'maths';
      const data = { hName: 'code', hProperties: { className: [className] }, hChildren: [{ type: 'text', value }] };
      this.enter({ type: 'inlineCode', value, data } as never, token);
      this.exit(token);
    },
  },
};

export interface RemarkData {
  micromarkExtensions?: Extension[];
  fromMarkdownExtensions?: TreeExtension[];
}

/** A plugin of remark: a formula becomes `<code>` of the class `maths` or `maths-displayed`, which the page draws. */
export function remarkMaths(this: { data(): object }): void {
  const data: RemarkData = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), syntax];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), tree];
}
