/**
 * Which press of the user the page is answering: a held key and the second half of a double click are the press that they began with. The
 * browser tells both, so no time is guessed.
 */

let current = 0;
/** The key that is down: the clicks that it makes on a button are its own press. */
let isKeyDown = false;

/** Different for every press; between presses it is that of the last one. */
export const pressNow = (): number => current;

const watch = <Type extends keyof WindowEventMap>(type: Type, hear: (event: WindowEventMap[Type]) => void) =>
  window.addEventListener(type, hear, { capture: true });

watch('keydown', ({ repeat }) => {
  if (!repeat) current += 1;
  isKeyDown = true;
});
watch('keyup', () => {
  isKeyDown = false;
});
// A key that is let go of elsewhere is not heard of.
watch('blur', () => {
  isKeyDown = false;
});
watch('click', ({ detail }) => {
  // None are counted where a key or another program clicks.
  if (detail === 1 || (detail === 0 && !isKeyDown)) current += 1;
});
