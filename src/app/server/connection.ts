/**
 * A connection, between its socket and the parser of Node.js: the parser gets one request at a time, and the connection is closed
 * only after the client could read the response.
 *
 * Node.js parses all of a chunk of 64 KiB, which may contain thousands of requests, before the first of them is answered. So the
 * parser is fed in pieces. A piece ends with the head or the body of a request; the next one waits for the end of the response.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection of a server. */
export interface Connection {
  /** Records that the parser has passed on a request. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Returns the response in progress. */
  response(): ServerResponse | undefined;
  /**
   * Ends the connection after what was written. Bytes that still arrive are discarded, up to 16 MiB or for 1 s: a socket that is closed
   * with unread bytes is reset. The client may then lose the response, and a proxy takes the server for failed.
   */
  endGracefully(): void;
}

/** The maximum of received bytes that wait for the parser; beyond it the socket is paused. */
const maxWaitingBytes = 65_536;
const maxDroppedBytes = 16_777_216;
const maxDroppingMs = 1000;

const headEnd = '\r\n\r\n';
const nothing = Buffer.alloc(0);

/** A request in progress. `bodyLeft` is the number of bytes of its body that are not parsed yet, if its head gives the length. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  bodyLeft: number | undefined;
}

/** Creates the connection for a socket that the server has just accepted. */
export function createConnection(socket: Socket): Connection {
  const toParser = interceptBytes(socket, receive);
  let waiting: Buffer = nothing;
  let tail = '';
  let exchange: Exchange | undefined;
  let isPaused = false;
  let droppedBytes: number | undefined;

  function receive(chunk: Buffer): void {
    if (droppedBytes === undefined) {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      parseOn();
    } else {
      droppedBytes += chunk.length;
      if (droppedBytes > maxDroppedBytes) socket.destroy();
    }
  }

  function parseOn(): void {
    while (waiting.length > 0 && !socket.destroyed && !exchange?.request.complete) {
      const piece = waiting.subarray(0, measurePiece());
      waiting = waiting.subarray(piece.length);
      toParser(piece);
    }
    isPaused = waiting.length >= maxWaitingBytes;
    if (isPaused) socket.pause();
  }

  function measurePiece(): number {
    if (exchange?.bodyLeft) {
      const length = Math.min(exchange.bodyLeft, waiting.length);
      exchange.bodyLeft -= length;
      return length;
    }
    // Heads and chunked bodies end with an empty line, whose beginning may be in the piece parsed before.
    const split = tail === '' ? -1 : (tail + waiting.toString('latin1', 0, 3)).indexOf(headEnd);
    const end = split < 0 ? waiting.indexOf(headEnd) : split - tail.length;
    const length = end < 0 ? waiting.length : end + headEnd.length;
    tail = end < 0 ? (tail + waiting.toString('latin1', Math.max(0, length - 3), length)).slice(-3) : '';
    return length;
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
    exchange = {
      request,
      response,
      bodyLeft: coding === undefined && length !== undefined ? Number(length) : undefined,
    };
    response.once('close', () => {
      exchange = undefined;
      // Other connections are served in between.
      if (waiting.length > 0) setImmediate(goOn);
    });
  }

  function goOn(): void {
    const wasPaused = isPaused;
    parseOn();
    if (wasPaused && !isPaused) socket.resume();
  }

  function endGracefully(): void {
    if (droppedBytes !== undefined) return;
    waiting = nothing;
    droppedBytes = 0;
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), maxDroppingMs);
    socket.once('close', () => clearTimeout(timer));
  }

  return { begin, response: () => exchange?.response, endGracefully };
}

/** Receives the bytes of a socket in place of the parser. Returns the function that passes bytes to the parser. */
function interceptBytes(socket: Socket, receive: (chunk: Buffer) => void): (chunk: Buffer) => void {
  const [toParser, ...others] = socket.listeners('data');
  if (!toParser || others.length > 0)
    throw new Error('This version of Node.js attaches its parser to sockets in an unknown way');
  socket.removeAllListeners('data');
  socket.on('data', receive);
  return (chunk) => toParser.call(socket, chunk);
}
