/**
 * A connection, between its socket and Node's parser: one request at a time gets past the parser, and a connection that is ended
 * lets what was answered arrive.
 *
 * Node parses whatever a chunk of 64 KiB holds, thousands of requests at once, and goes on while they are answered. So the parser is
 * fed in pieces here. A piece ends where the head of a request does, or its body, and the next one waits for the end of the answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection of a server. */
export interface Connection {
  /** Notes that a request has got past the parser. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Ends the connection after what was written. What still comes is read and dropped, up to 1 MiB or for 1 s: a socket that is closed
   * with bytes unread is reset, and the client may never see the answer.
   */
  endSoftly(): void;
}

/** Of what waits for its turn; beyond it the client has to wait. */
const maxWaitingBytes = 65_536;
const maxDroppedBytes = 1_048_576;
const maxDroppingMs = 1000;

const headEnd = '\r\n\r\n';
const nothing = Buffer.alloc(0);

/** A request that is under way; `bodyLeft` counts the bytes of its body that are not parsed yet, where its head says how many. */
interface Exchange {
  readonly request: IncomingMessage;
  bodyLeft: number | undefined;
}

/** Stands between a socket that a server has just accepted and its parser. */
export function createConnection(socket: Socket): Connection {
  const toParser = takeOver(socket, receive);
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
    // Heads, and bodies in chunks, end with an empty line, whose beginning may have been parsed already.
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
      bodyLeft: coding === undefined && length !== undefined ? Number(length) : undefined,
    };
    response.once('close', () => {
      exchange = undefined;
      // Other connections have their turn in between.
      if (waiting.length > 0) setImmediate(goOn);
    });
  }

  function goOn(): void {
    const wasPaused = isPaused;
    parseOn();
    if (wasPaused && !isPaused) socket.resume();
  }

  function endSoftly(): void {
    if (droppedBytes !== undefined) return;
    waiting = nothing;
    droppedBytes = 0;
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), maxDroppingMs);
    socket.once('close', () => clearTimeout(timer));
  }

  return { begin, endSoftly };
}

/** Gets the bytes of a socket in place of the parser, and returns what hands bytes to the parser. */
function takeOver(socket: Socket, receive: (chunk: Buffer) => void): (chunk: Buffer) => void {
  const [toParser, ...others] = socket.listeners('data');
  if (!toParser || others.length > 0) throw new Error('Node reads requests in another way than is known');
  socket.removeAllListeners('data');
  socket.on('data', receive);
  return (chunk) => toParser.call(socket, chunk);
}
