import { benchBatch } from './batch.ts';
import { benchBundle } from './bundle.ts';
import { benchChatPage } from './chatPage.ts';
import { benchClaims } from './claims.ts';
import { benchColdStart } from './coldStart.ts';
import { benchDownload } from './download.ts';
import { print } from './figures.ts';
import { benchFilm } from './film.ts';
import { benchHistory } from './history.ts';
import { benchLoop } from './loop.ts';
import { benchPainter } from './painter.ts';
import { benchQueue } from './queue.ts';
import { benchStreams } from './streams.ts';
import { benchTyping } from './typing.ts';

/** `npm run bench [-- claims | batch | bundle | queue | streams | download | start | chat | film | painter | loop | typing | history]`: prints measurements of this machine; nothing is asserted. */
const BENCHES = {
  claims: benchClaims,
  batch: benchBatch,
  bundle: benchBundle,
  queue: benchQueue,
  streams: benchStreams,
  download: benchDownload,
  start: benchColdStart,
  chat: benchChatPage,
  film: benchFilm,
  painter: benchPainter,
  loop: benchLoop,
  typing: benchTyping,
  history: benchHistory,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`bench: there is no ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) print(name, await bench());
}
process.exit(0);
