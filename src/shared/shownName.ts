/** Characters that turn the reading direction of what follows, and show nothing themselves (Unicode Bidi_Control). */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A name from elsewhere as it is shown, in one line among our own words: `photo\u202egpj.exe` would read `photoexe.jpg`, and what stands
 * behind it would read backwards too.
 */
export const shownName = (name: string): string =>
  name.replace(BIDI_CONTROLS, (control) => `‹U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`);
