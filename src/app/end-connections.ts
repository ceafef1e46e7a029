/**
 * Ends connections, each as soon as nobody waits for an answer on it, and none before: all of them when the server stops, and one
 * whose client is answered before its request has arrived.
 *
 * When a server stops, Node by itself ends only connections that rest after an answer. It keeps what is silent from the start, and what
 * was busy when it stopped goes on to bring request after request.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, createConnection } from './connection.ts';
import { dropStalledReaders } from './stalled-readers.ts';

/** The connections of a server. */
export interface Connections {
  /** Ends one after what was written to it. */
  endSoftly(socket: Socket): void;
  /** Begins to end all of them. */
  endAll(): void;
}

/** Watches the connections of a server from its start. */
export function watchConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  const underWay = new Set<ServerResponse>();
  let isEnding = false;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, createConnection(socket));
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    connections.get(socket)?.begin(request, response);
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      if (isEnding) socket.destroySoon();
    });
    beforeHead(response, () => {
      if (isEnding || !request.complete) response.setHeader('Connection', 'close');
      // Node calls this after the last answer on a connection.
      if (!request.complete) socket.destroySoon = () => endSoftly(socket);
    });
  });
  const stopChecking = dropStalledReaders({ [Symbol.iterator]: () => connections.keys() });
  server.once('close', stopChecking);

  function endSoftly(socket: Socket): void {
    connections.get(socket)?.endSoftly();
  }

  return {
    endSoftly,
    endAll() {
      isEnding = true;
      server.closeIdleConnections();
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
    },
  };
}

/** Runs before the head of an answer is written. A method of the one response, since Express gives responses another prototype. */
function beforeHead(response: ServerResponse, run: () => void): void {
  const writeHead = response.writeHead as (...words: unknown[]) => ServerResponse;
  response.writeHead = (...words: unknown[]) => {
    if (!response.headersSent) run();
    return writeHead.apply(response, words);
  };
}
