/**
 * Where the log goes: standard error, in blocks, off the event loop. When its reader goes away (`| head -1`), the log ends and the
 * server goes on.
 */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pino } from 'pino';

export type Log = ReturnType<typeof openLog>;

/** Lines wait until there are this many bytes of them, or for a second, because a write takes as much time as a request. */
const blockBytes = 32_768;
const flushMs = 1000;
/** How long to wait for a reader that does not read. */
const closeMs = 1000;

/** Opens the log of this process. */
export function openLog() {
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: blockBytes,
    maxWrite: 2 * blockBytes,
  });
  let isBroken = false;
  // Never by flushSync: with a reader that is gone it would try for ever.
  const flush = () => {
    if (!isBroken) destination.flush();
  };
  const flushing = setInterval(flush, flushMs).unref();
  destination.on('error', () => {
    isBroken = true;
    clearInterval(flushing);
  });
  return {
    destination,
    /** Starts to write buffered lines. */
    flush,
    /** Writes the lines of another process into this log, each as a whole. */
    forward(stream: Readable): void {
      let rest = '';
      const write = (lines: string) => {
        if (lines === '' || isBroken || destination.write(lines)) return;
        stream.pause();
        void once(destination, 'drain')
          .catch(() => undefined)
          .then(() => stream.resume());
      };
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        const end = chunk.lastIndexOf('\n') + 1;
        if (end === 0) rest += chunk;
        else {
          write(rest + chunk.slice(0, end));
          rest = chunk.slice(end);
        }
      });
      stream.once('end', () => write(rest === '' ? '' : `${rest}\n`));
    },
    /** Writes the remaining lines if the reader is still there. */
    async close() {
      clearInterval(flushing);
      if (isBroken) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const deadline = setTimeout(resolve, closeMs);
      destination.once('error', resolve);
      destination.end();
      await Promise.race([once(destination, 'close').catch(() => {}), promise]);
      clearTimeout(deadline);
    },
  };
}
