import { benchBatch } from './batch.ts';
import { benchBundle } from './bundle.ts';
import { benchChatDelta } from './chatDelta.ts';
import { benchChatPage } from './chatPage.ts';
import { benchClaims } from './claims.ts';
import { benchColdStart } from './coldStart.ts';
import { benchDownload } from './download.ts';
import { print } from './figures.ts';
import { benchFilm } from './film.ts';
import { benchHistory } from './history.ts';
import { benchJoints } from './joints.ts';
import { benchLoop } from './loop.ts';
import { benchPainter } from './painter.ts';
import { benchQueue } from './queue.ts';
import { benchQueuePage } from './queuePage.ts';
import { benchStreams } from './streams.ts';
import { benchTyping } from './typing.ts';

/** `npm run bench [-- claims | batch | bundle | queue | page | streams | download | start | chat | film | joints | painter | loop | typing | history [--million]]`: prints measurements of this machine; nothing is asserted. */
const BENCHES = {
  claims: benchClaims,
  batch: benchBatch,
  bundle: benchBundle,
  queue: benchQueue,
  page: benchQueuePage,
  streams: benchStreams,
  download: benchDownload,
  start: benchColdStart,
  chat: async () => [...(await benchChatDelta()), ...(await benchChatPage())],
  film: benchFilm,
  joints: benchJoints,
  painter: benchPainter,
  history: benchHistory,
  loop: benchLoop,
  typing: benchTyping,
};

const wanted = process.argv.slice(2).filter((name) => name !== '--million');
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`bench: there is no ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) print(name, await bench());
}
process.exit(0);
