/**
 * A worker's side of the channel to its parent.
 */
import { type Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WrongCredentials } from '../../access/authenticator.ts';
import type { RateLimits } from '../../access/rate-limits.ts';
import type { Collected, Metric } from '../../base/metrics/metric.ts';
import type { UnseenConflicts } from '../../content/overlay/unseen-conflicts.ts';
import type { FirstAccounts } from '../server/first-accounts.ts';
import { type MessageToParent, type MessageToWorker, storeChannelFd, type WorkerStart } from './messages.ts';

/** The channel of a worker. */
export interface ParentChannel {
  /** Resolves when the parent has sent it. */
  readonly start: Promise<WorkerStart>;
  /** Answers the parent's wishes to read the records again, as soon as `refresh` is known. */
  answerRefreshes(refresh: () => Promise<void>): void;
  /** Resolves when all other workers have read their records again. */
  refreshOthers(): Promise<void>;
  /** Sends what this worker has collected when the parent asks for it, as soon as `collect` is known. */
  answerCollections(collect: (what: Collected) => Promise<readonly Metric[]>): void;
  /** Returns what the whole server has collected. */
  collectAll(what: Collected): Promise<readonly Metric[]>;
  /** Exchanges what senders were charged with the other workers, ten times a second. */
  exchangeCharges(limits: RateLimits): void;
  /** Counts wrong credentials together with the other workers. */
  shareWrongCredentials(counts: WrongCredentials): void;
  /** Counts conflicts with assets that senders may not see together with the other workers. */
  shareUnseenConflicts(counts: UnseenConflicts): void;
  /** Gives connections of the parent to a server, which itself does not listen. */
  passConnections(server: Server): void;
  /** Asks for connections, and reports the first accounts that this worker has created. */
  reportReady(made: FirstAccounts): void;
  /** Asks the parent to stop this worker. */
  leave(): void;
  /** Opens the pipe to the writer of the parent; it does not keep this process running. */
  openStoreChannel(): Duplex;
  /** Resolves when the parent tells this worker to stop. */
  readonly stopped: Promise<void>;
}

/** How often workers exchange what they have charged. */
const exchangeMs = 100;

/** Opens the channel of this process, which its parent has started with one. */
export function openParentChannel(): ParentChannel {
  const start = Promise.withResolvers<WorkerStart>();
  const stopped = Promise.withResolvers<void>();
  const refresh = Promise.withResolvers<() => Promise<void>>();
  const collect = Promise.withResolvers<(what: Collected) => Promise<readonly Metric[]>>();
  const waiting = new Map<number, () => void>();
  const collecting = new Map<number, (metrics: readonly Metric[]) => void>();
  let limits: RateLimits | undefined;
  let wrongCredentials: WrongCredentials | undefined;
  let unseenConflicts: UnseenConflicts | undefined;
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

  async function collectAndAnswer(number: number, what: Collected): Promise<void> {
    send({ kind: 'collected', number, what, metrics: await (await collect.promise)(what) });
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
      case 'collect':
        void collectAndAnswer(message.number, message.what);
        break;
      case 'collected':
        collecting.get(message.number)?.(message.metrics);
        collecting.delete(message.number);
        break;
      case 'charges':
        limits?.addCharges(message.charges);
        break;
      case 'credentials':
        wrongCredentials?.apply(message.change);
        break;
      case 'conflict':
        unseenConflicts?.apply(message.sender);
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
    answerCollections: collect.resolve,
    async collectAll(what) {
      if (!process.connected) return (await collect.promise)(what);
      const { promise, resolve } = Promise.withResolvers<readonly Metric[]>();
      collecting.set(++lastNumber, resolve);
      send({ kind: 'collect', number: lastNumber, what });
      return promise;
    },
    exchangeCharges(given) {
      limits = given;
      setInterval(() => {
        const charges = given.takeCharges();
        if (charges.length > 0) send({ kind: 'charges', charges });
      }, exchangeMs).unref();
    },
    shareWrongCredentials(given) {
      wrongCredentials = given;
      given.onChange((change) => send({ kind: 'credentials', change }));
    },
    shareUnseenConflicts(given) {
      unseenConflicts = given;
      given.onCount((sender) => send({ kind: 'conflict', sender }));
    },
    passConnections(given) {
      server = given;
      // From this event on, Node.js looks for requests whose head does not arrive in time.
      server.emit('listening');
    },
    reportReady: (made) => send({ kind: 'ready', made }),
    openStoreChannel: () => new Socket({ fd: storeChannelFd }).unref(),
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
