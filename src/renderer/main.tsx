import './noEval.ts';
import './locale.ts';
import './ui/ui.css';
import { loadLanguage } from './language.ts';

// Modules hold translated texts, so they are loaded after the language.
await loadLanguage(document.documentElement.lang).catch(() => undefined);
const { startWindow } = await import('./app/startWindow.tsx');
/** A page inside the page (the hidden media worker, when its file is missing) is not a second studio. */
if (window.top === window) startWindow();
