import { expect, test } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { sql } from '../store/index.ts';

/** An update writes the whole row of a job, and an answer may be of megabytes. */

const start = engineHarnesses();
const countWritten = [
  'CREATE TEMP TABLE written (characters INTEGER)',
  `CREATE TEMP TRIGGER count_written AFTER UPDATE ON main.jobs BEGIN
     INSERT INTO written SELECT length(coalesce(NEW.result, '')) + length(NEW.partial_text) + length(NEW.partial_reasoning);
   END`,
].map((text, at) => sql(`test.countWritten${at}`, text));
const written = sql('test.written', 'SELECT total(characters) AS characters FROM written');

test('a long answer is written a few times, however much else of its job changes with it', async () => {
  const text = 'word '.repeat(20_000);
  const reasoning = 'thought '.repeat(10_000);
  const { enqueue, untilEnd, store } = start({
    script: {
      gateway: {
        chat: async (_request, _send, onDelta) => {
          onDelta({ channel: 'text', text });
          return {
            type: 'answered',
            complete: true,
            remoteId: 'c-1',
            result: { text, reasoning, finishReason: 'stop' },
          };
        },
      },
    },
  });
  store.transaction((db) => {
    for (const statement of countWritten) db.run(statement, {});
  });
  const { id } = await enqueue({ kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'x' }] });
  expect(await untilEnd(id)).toMatchObject({ state: 'succeeded', result: { text, reasoning } });
  const { characters } = store.transaction((db) => db.one<{ characters: number }>(written, {})) ?? { characters: 0 };
  expect(characters / (text.length + reasoning.length)).toBeLessThan(5);
});
