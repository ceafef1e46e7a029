/**
 * A worker's side of the channel to its parent.
 */
import { type Server, Socket } from 'node:net';
import type { FirstAccounts } from '../first-accounts.ts';
import type { MessageToParent, MessageToWorker, WorkerStart } from './messages.ts';

/** The channel of a worker. */
export interface ParentChannel {
  /** Resolves when the parent has sent it. */
  readonly start: Promise<WorkerStart>;
  /** Answers the parent's wishes to read the records again, as soon as `refresh` is known. */
  answerRefreshes(refresh: () => Promise<void>): void;
  /** Resolves when all other workers have read their records again. */
  refreshOthers(): Promise<void>;
  /** Gives connections of the parent to a server, which itself does not listen. */
  passConnections(server: Server): void;
  /** Asks for connections, and reports the first accounts that this worker has created. */
  reportReady(made: FirstAccounts): void;
  /** Asks the parent to stop this worker. */
  leave(): void;
  /** Resolves when the parent tells this worker to stop. */
  readonly stopped: Promise<void>;
}

/** Opens the channel of this process, which its parent has started with one. */
export function openParentChannel(): ParentChannel {
  const start = Promise.withResolvers<WorkerStart>();
  const stopped = Promise.withResolvers<void>();
  const refresh = Promise.withResolvers<() => Promise<void>>();
  const waiting = new Map<number, () => void>();
  let lastNumber = 0;
  let server: Server | undefined;

  function send(message: MessageToParent): void {
    // A parent that ends meanwhile receives nothing, and this process ends, too.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  }

  const reportClosed = createCounter((count) => send({ kind: 'closed', count }));

  async function refreshAndAnswer(number: number): Promise<void> {
    // What could not be read is read again within a second.
    await (await refresh.promise)().catch(() => undefined);
    send({ kind: 'refreshed', number });
  }

  process.on('message', (message: MessageToWorker, handle: unknown) => {
    switch (message.kind) {
      case 'start':
        start.resolve(message.start);
        break;
      case 'connection':
        // Before anything is read, so that the parent gives the connection to another worker only if nobody has read of it.
        send({ kind: 'accepted', number: message.number });
        accept(handle);
        break;
      case 'refresh':
        void refreshAndAnswer(message.number);
        break;
      case 'refreshed':
        waiting.get(message.number)?.();
        waiting.delete(message.number);
        break;
      case 'stop':
        stopped.resolve();
    }
  });

  function accept(socket: unknown): void {
    if (socket instanceof Socket) {
      socket.once('close', reportClosed);
      // Like the sockets that a server of `node:http` accepts itself.
      socket.allowHalfOpen = true;
      server?.emit('connection', socket);
    } else reportClosed();
  }

  return {
    start: start.promise,
    stopped: stopped.promise,
    answerRefreshes: refresh.resolve,
    refreshOthers() {
      if (!process.connected) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(++lastNumber, resolve);
      send({ kind: 'refresh', number: lastNumber });
      return promise;
    },
    passConnections(given) {
      server = given;
      // From this event on, Node.js looks for requests whose head does not arrive in time.
      server.emit('listening');
    },
    reportReady: (made) => send({ kind: 'ready', made }),
    leave: () => send({ kind: 'leaving' }),
  };
}

/** Calls `report` with the number of calls in each round of the event loop. */
function createCounter(report: (count: number) => void): () => void {
  let count = 0;
  return () => {
    count++;
    if (count > 1) return;
    setImmediate(() => {
      report(count);
      count = 0;
    });
  };
}
