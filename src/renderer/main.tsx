import './noEval.ts';
import './locale.ts';
import './ui/ui.css';
import { loadLanguage } from './language.ts';

// Modules keep texts, so they are loaded once the language is known.
await loadLanguage(document.documentElement.lang).catch(() => undefined);
const { startWindow } = await import('./app/startWindow.tsx');
/** A page inside the page (the hidden media worker, when its file is missing) is not a second studio. */
if (window.top === window) startWindow();
