import { ChatAssembly } from '../../../src/main/core/gateway/chat/assembly.ts';
import { createEventReader } from '../../../src/main/core/gateway/http/body.ts';

/** Reads the bytes of a chat stream as the client does. */
export function chatReader(...sinks: ConstructorParameters<typeof ChatAssembly>) {
  const assembly = new ChatAssembly(...sinks);
  const events = createEventReader(32 * 1024 * 1024, (event) => assembly.takeEvent(event));
  return {
    feed: (bytes: Uint8Array) => events.feed(bytes),
    end() {
      events.end();
      assembly.end();
      return assembly.state();
    },
  };
}
