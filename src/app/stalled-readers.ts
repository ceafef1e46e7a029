/**
 * Disconnects clients that do not read their responses, because unread responses take up memory.
 *
 * A slow client that keeps reading stays connected: progress is measured by the bytes that the operating system has accepted, not by
 * the duration of a response.
 */
import type { Socket } from 'node:net';

/** The number of consecutive checks without progress that is allowed: time when the process was suspended does not count. */
const maxStalledChecks = 6;

/** Checks connections every `checkMs` until the returned function is called. */
export function disconnectStalledReaders(connections: Iterable<Socket>, checkMs: number): () => void {
  const stalled = new WeakMap<Socket, { readonly acceptedBytes: number; readonly checks: number }>();
  const check = () => {
    for (const socket of connections) {
      const { waitingBytes, acceptedBytes } = progressOf(socket);
      const before = stalled.get(socket);
      if (waitingBytes === 0) stalled.delete(socket);
      else if (before?.acceptedBytes !== acceptedBytes) stalled.set(socket, { acceptedBytes, checks: 0 });
      else if (before.checks + 1 >= maxStalledChecks) socket.destroy();
      else stalled.set(socket, { acceptedBytes, checks: before.checks + 1 });
    }
  };
  const timer = setInterval(check, checkMs).unref();
  return () => clearInterval(timer);
}

/** Returns how many of the bytes written to a socket still wait, and how many the operating system has accepted. */
function progressOf(socket: Socket): { waitingBytes: number; acceptedBytes: number } {
  // Only the internal handle shows the progress of a large write; the timeouts of Node.js use it as well.
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number };
  };
  if (!handle) return { waitingBytes: 0, acceptedBytes: 0 };
  const { bytesWritten, writeQueueSize } = handle;
  return { waitingBytes: writeQueueSize, acceptedBytes: bytesWritten - writeQueueSize };
}
