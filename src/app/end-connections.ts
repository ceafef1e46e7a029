/**
 * Ends connections after their last response: all connections when the server stops, and a single one whose request was answered
 * before it had arrived completely.
 *
 * When a server stops, Node.js ends only connections that are idle after a response. It keeps connections that never sent a request,
 * and a connection that was busy can send further requests.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, createConnection } from './connection.ts';
import { disconnectStalledReaders } from './stalled-readers.ts';

/** The connections of a server. */
export interface Connections {
  /** Ends one connection after what was written to it. */
  endGracefully(socket: Socket): void;
  /** Ends all connections, each after its last response, idle ones a moment later; resolves when none is left. */
  endAll(): Promise<void>;
}

/** An idle connection of a busy client may have its next request on the way, which is still answered. */
const requestOnItsWayMs = 100;

/** Tracks the connections of a server from its start. */
export function watchConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  const inProgress = new Set<ServerResponse>();
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
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    connections.get(socket)?.begin(request, response);
    inProgress.add(response);
    response.once('close', () => {
      inProgress.delete(response);
      if (isEnding) socket.destroySoon();
    });
    beforeHead(response, () => {
      if (isEnding || !request.complete) response.setHeader('Connection', 'close');
      // Node.js calls this after the last response on a connection.
      if (!request.complete) socket.destroySoon = () => endGracefully(socket);
    });
  });
  const stopChecking = disconnectStalledReaders({ [Symbol.iterator]: () => connections.keys() });
  void ended.then(stopChecking);

  function endIdle(): void {
    server.closeIdleConnections();
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  function endGracefully(socket: Socket): void {
    connections.get(socket)?.endGracefully();
  }

  return {
    endGracefully,
    endAll() {
      isEnding = true;
      setTimeout(endIdle, requestOnItsWayMs).unref();
      for (const response of inProgress) if (!response.headersSent) response.setHeader('Connection', 'close');
      endIfNone();
      return ended;
    },
  };
}

/** Calls `run` before the head of a response is written. It replaces a method of the object, because Express replaces its prototype. */
function beforeHead(response: ServerResponse, run: () => void): void {
  const writeHead = response.writeHead as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    if (!response.headersSent) run();
    return writeHead.apply(response, args);
  };
}
