/**
 * The listening server. It stops gracefully: it refuses new connections, finishes the requests in progress, then closes the store.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { invalidParameter } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import { toErrorResponse } from '../../http/error-map.ts';
import { bodyTimeoutMs } from '../../http/request/read-body.ts';
import type { Instance } from '../compose/compose.ts';
import type { Config } from '../config/config.ts';
import {
  type Connections,
  TrackedResponse,
  type TrackedServer,
  watchConnections,
} from './end-connections.ts';
import { listen } from './listen.ts';

/** A listening instance. */
export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Finishes the requests in progress and closes the instance; a second call waits for the first. */
  stop(): Promise<void>;
}

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
}): Promise<RunningServer> {
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
    stop: () => {
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
