/**
 * Lets go of clients that do not read: what was written for them takes up memory.
 *
 * A client that is slow but steady stays. So the bytes that the operating system has taken count, and no time that an answer takes.
 */
import type { Socket } from 'node:net';

const checkMs = 5000;
/** How many checks in a row may find that nothing was taken: half a minute, however long the process itself stood still. */
const maxChecks = 6;

/** Checks connections until the returned function is called. */
export function dropStalledReaders(connections: Iterable<Socket>): () => void {
  const stalled = new WeakMap<Socket, { readonly takenBytes: number; readonly checks: number }>();
  const check = () => {
    for (const socket of connections) {
      const { waitingBytes, takenBytes } = progressOf(socket);
      const before = stalled.get(socket);
      if (waitingBytes === 0) stalled.delete(socket);
      else if (before?.takenBytes !== takenBytes) stalled.set(socket, { takenBytes, checks: 0 });
      else if (before.checks + 1 >= maxChecks) socket.destroy();
      else stalled.set(socket, { takenBytes, checks: before.checks + 1 });
    }
  };
  const timer = setInterval(check, checkMs).unref();
  return () => clearInterval(timer);
}

/** How much the operating system has not taken yet of what was written to a socket, and how much it has. */
function progressOf(socket: Socket): { waitingBytes: number; takenBytes: number } {
  // Node tells how a large write progresses here alone; its own timeouts look at it, too.
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number };
  };
  if (!handle) return { waitingBytes: 0, takenBytes: 0 };
  const { bytesWritten, writeQueueSize } = handle;
  return { waitingBytes: writeQueueSize, takenBytes: bytesWritten - writeQueueSize };
}
