import { loadLanguage } from '../language.ts';
import { serveFilms, serveSpeed } from './film/filmFrame.ts';
import { makeFilm } from './film/makeFilm.ts';
import { softwareSpeed } from './film/softwareSpeed.ts';
import { servePage } from './frame.ts';
import { stripOf } from './strip.ts';
import { doTask } from './tasks.ts';
import { doMediaWork } from './work.ts';

// The parent page sends work as soon as this one has loaded, so nothing waits for the language.
void loadLanguage(document.documentElement.lang).catch(() => undefined);

/**
 * The media page, without an interface. On its own, in a hidden window or a headless browser, it takes tasks from the studio; as a page's
 * frame it does that page's tasks. Several may run at once; a claim belongs to one of them.
 */
if (window.parent === window) doMediaWork(doTask, (task, desk) => makeFilm(task, desk), softwareSpeed);
else {
  servePage(doTask, stripOf);
  serveFilms((task, desk) => makeFilm(task, desk));
  serveSpeed(softwareSpeed);
}
