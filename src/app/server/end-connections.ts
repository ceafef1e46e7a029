/**
 * Ends connections after their last response: all connections when the server stops, and a single one whose request was answered
 * before it had arrived completely.
 *
 * When a server stops, Node.js ends only connections that are idle after a response. It keeps connections that never sent a request,
 * and a connection that was busy can send further requests.
 */
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, createConnection } from './connection.ts';

/** The connections of a server. */
export interface Connections {
  /** Ends one connection after what was written to it. */
  endGracefully(socket: Socket): void;
  /** Ends all connections, each after its last response, idle ones a moment later; resolves when none is left. */
  endAll(): Promise<void>;
}

/** An idle connection of a busy client may have its next request on the way, which is still answered. */
const requestOnItsWayMs = 100;

/**
 * A response of a server whose connections are tracked. It is a class, because a function that is added to each response would keep
 * the garbage of many requests alive until V8 collects the whole heap.
 */
export class TrackedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** Called before the head is written. */
  beforeHead: (response: TrackedResponse) => void = () => {};

  override writeHead(...args: unknown[]): this {
    if (!this.headersSent) this.beforeHead(this);
    // The arguments are those of one of its several signatures.
    return super.writeHead(...(args as [number]));
  }
}

/** A server with such responses. */
export type TrackedServer = Server<typeof IncomingMessage, typeof TrackedResponse>;

/** Tracks the connections of a server from its start, and checks every `stallCheckMs` whether their clients read. */
export function watchConnections(server: TrackedServer, stallCheckMs: number): Connections {
  const connections = new Map<Socket, Connection>();
  let isEnding = false;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const endIfNone = () => {
    if (isEnding && connections.size === 0) end();
  };

  server.on('connection', (socket: Socket) => {
    connections.set(socket, createConnection(socket));
    socket.once('close', () => {
      connections.delete(socket);
      endIfNone();
    });
  });
  server.prependListener('request', (request: IncomingMessage, response: TrackedResponse) => {
    const { socket } = request;
    connections.get(socket)?.begin(request, response);
    response.once('close', () => {
      if (isEnding) socket.destroySoon();
    });
    response.beforeHead = beforeHead;
  });
  const stopChecking = disconnectStalledReaders(
    { [Symbol.iterator]: () => connections.keys() },
    stallCheckMs,
  );
  void ended.then(stopChecking);

  function endIdle(): void {
    server.closeIdleConnections();
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  function beforeHead(response: TrackedResponse): void {
    const { complete, socket } = response.req;
    if (isEnding || !complete) response.setHeader('Connection', 'close');
    // Node.js calls this after the last response on a connection.
    if (!complete) socket.destroySoon = () => endGracefully(socket);
  }

  function endGracefully(socket: Socket): void {
    connections.get(socket)?.endGracefully();
  }

  return {
    endGracefully,
    endAll() {
      isEnding = true;
      setTimeout(endIdle, requestOnItsWayMs).unref();
      for (const connection of connections.values()) {
        const response = connection.response();
        if (response && !response.headersSent) response.setHeader('Connection', 'close');
      }
      endIfNone();
      return ended;
    },
  };
}

/** The number of consecutive checks without progress that is allowed: time when the process was suspended does not count. */
const maxStalledChecks = 6;

/**
 * Checks connections every `checkMs` until the returned function is called.
 *
 * A slow client that keeps reading stays connected: progress is measured by the bytes that the operating system has accepted, not by
 * the duration of a response.
 */
function disconnectStalledReaders(connections: Iterable<Socket>, checkMs: number): () => void {
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
