/**
 * The listening server. It stops gracefully: it refuses new connections, finishes the requests in progress, then closes the store.
 */

import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { invalidParameter } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import { toErrorResponse } from '../../http/error-map.ts';
import { bodyTimeoutMs } from '../../http/request/read-body.ts';
import type { Instance } from '../compose/compose.ts';
import type { Config } from '../config/config.ts';
import { listen } from './listen.ts';

/** A listening instance. */
export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Room for a predicate of 100 KB, percent-encoded, in the request line. */
const maxHeaderBytes = 393_216;

/** The head of a request must arrive at the minimum speed of a body. */
const headTimeoutMs = bodyTimeoutMs(maxHeaderBytes);
/** How often Node.js looks for overdue heads. */
const timeoutCheckMs = 2000;
/** Clients that do not read are disconnected after six checks: half a minute. */
const usualStallCheckMs = 5000;

/** Where a server gets its connections from: starts to pass them on, and returns the address of the server. */
export type ConnectionSource = (server: TrackedServer) => Promise<string>;

/**
 * How long an idle connection stays open: longer than the 60 s of nginx and of load balancers, so that none of them sends a request on a
 * connection that is being closed.
 */
const keepAliveMs = 75_000;

/**
 * Starts listening, or takes the connections of another source. Requests that arrive before `prepare` has completed wait for it.
 *
 * Errors: those of `connect`, in which case `prepare` was not called; those of `prepare`.
 */
export async function startServer({
  instance,
  config,
  logger,
  prepare = async () => {},
  connect = (server) => listen(server, config),
  stallCheckMs = usualStallCheckMs,
}: {
  instance: Instance;
  config: Config;
  logger: Logger;
  prepare?: (url: string) => Promise<void>;
  connect?: ConnectionSource;
  /** How often the server checks whether clients read. */
  stallCheckMs?: number;
}) {
  const server = createServer({
    ServerResponse: TrackedResponse,
    maxHeaderSize: maxHeaderBytes,
    // The application answers requests without Host or with Expect, because the responses of Node.js have no body.
    requireHostHeader: false,
    headersTimeout: headTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    // The application limits the bodies that it reads; this limit is for the others.
    requestTimeout: headTimeoutMs + bodyTimeoutMs(Math.max(config.maxBodyBytes, config.maxFileBytes)),
    connectionsCheckingInterval: timeoutCheckMs,
  });
  const connections = watchConnections(server, stallCheckMs);
  const { promise: isPrepared, resolve: startServing } = Promise.withResolvers<void>();
  // The promise delays each request until its whole chunk is parsed, so that the body of a small request is complete.
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void isPrepared.then(() => instance.app(request, response));
  server.on('request', answer);
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (request, response) => server.emit('request', request, response));
  }
  server.on('clientError', createInvalidRequestHandler(connections));
  /** Without a slash at the end. */
  const url = await connect(server);
  try {
    await prepare(url);
  } catch (error) {
    server.close();
    void connections.endAll();
    server.closeAllConnections();
    throw error;
  }
  startServing();
  instance.startBackgroundWork();

  let stopping: Promise<void> | undefined;
  const stop = async () => {
    logger.info({}, 'stopping');
    instance.startStopping();
    // Without `node:http`, which would also close connections whose next request has arrived already.
    NetServer.prototype.close.call(server);
    const closed = connections.endAll();
    const deadline = setTimeout(() => server.closeAllConnections(), config.shutdownMs);
    await closed;
    clearTimeout(deadline);
    server.close();
    await instance.close();
    logger.info({}, 'stopped');
  };
  return {
    url,
    /** Finishes the requests in progress and closes the instance; a second call waits for the first. */
    stop: (): Promise<void> => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** The status line and the reason for a request that Node.js could not parse, by the code of its error. */
const invalidRequests: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', `is larger than ${maxHeaderBytes} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'did not arrive in time'],
};

/** Creates the handler that answers requests which Node.js could not parse, and which therefore never reach the application. */
function createInvalidRequestHandler({ endGracefully }: Connections) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, reason] = invalidRequests[error.code ?? ''] ?? ['400 Bad Request', 'is not valid HTTP'];
    const body = JSON.stringify(toErrorResponse(invalidParameter('The head of the request', reason)).body);
    const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
    socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
    endGracefully(socket);
  };
}

// Ends connections after their last response: all connections when the server stops, and a single one whose request was answered
// before it had arrived completely.
//
// When a server stops, Node.js ends only connections that are idle after a response. It keeps connections that never sent a request,
// and a connection that was busy can send further requests.

type Connections = ReturnType<typeof watchConnections>;

/** An idle connection of a busy client may have its next request on the way, which is still answered. */
const requestOnItsWayMs = 100;

/**
 * A response of a server whose connections are tracked. It is a class, because a function that is added to each response would keep
 * the garbage of many requests alive until V8 collects the whole heap.
 */
class TrackedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Called before the head is written. */
  beforeHead: (response: TrackedResponse) => void = () => {};

  override writeHead(...args: unknown[]): this {
    if (!this.headersSent) this.beforeHead(this);
    // The arguments are those of one of its several signatures.
    return super.writeHead(...(args as [number]));
  }
}

/** A server with such responses. */
type TrackedServer = Server<typeof IncomingMessage, typeof TrackedResponse>;

/** Tracks the connections of a server from its start, and checks every `stallCheckMs` whether their clients read. */
function watchConnections(server: TrackedServer, stallCheckMs: number) {
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

  /** Ends one connection after what was written to it. */
  function endGracefully(socket: Socket): void {
    connections.get(socket)?.endGracefully();
  }

  return {
    endGracefully,
    /** Ends all connections, each after its last response, idle ones a moment later; resolves when none is left. */
    endAll(): Promise<void> {
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

// A connection, between its socket and the parser of Node.js: the parser gets one request at a time, and the connection is closed
// only after the client could read the response.
//
// Node.js parses all of a chunk of 64 KiB, which may contain thousands of requests, before the first of them is answered. So the
// parser is fed in pieces. A piece ends with the head or the body of a request; the next one waits for the end of the response.

type Connection = ReturnType<typeof createConnection>;

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
function createConnection(socket: Socket) {
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

  /** Records that the parser has passed on a request. */
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

  /**
   * Ends the connection after what was written. Bytes that still arrive are discarded, up to 16 MiB or for 1 s: a socket that is closed
   * with unread bytes is reset. The client may then lose the response, and a proxy takes the server for failed.
   */
  function endGracefully(): void {
    if (droppedBytes !== undefined) return;
    waiting = nothing;
    droppedBytes = 0;
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), maxDroppingMs);
    socket.once('close', () => clearTimeout(timer));
  }

  return {
    begin,
    /** Returns the response in progress. */
    response: () => exchange?.response,
    endGracefully,
  };
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
