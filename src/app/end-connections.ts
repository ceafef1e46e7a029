/**
 * Ends the connections of a server that stops: each as soon as nobody waits for an answer on it, and none before.
 *
 * Node by itself ends only those that rest after an answer. It keeps what is silent from the start, and what was busy when
 * it stopped goes on to bring request after request.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Watches the connections of a server from its start; the returned function begins to end them. */
export function prepareToEndConnections(server: Server): () => void {
  const connections = new Set<Socket>();
  const underWay = new Set<ServerResponse>();
  let isEnding = false;
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (_request, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    if (isEnding) endAfter(response);
  });
  return () => {
    isEnding = true;
    server.closeIdleConnections();
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    for (const response of underWay) endAfter(response);
  };
}

function endAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
