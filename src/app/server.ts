/**
 * Listens, and stops gracefully: no new connections, requests under way finish, then the store is closed.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { invalidParameter } from '../base/errors.ts';
import type { Logger } from '../base/runtime.ts';
import { toErrorAnswer } from '../http/error-map.ts';
import { bodyTimeoutMs } from '../http/request/collect-body.ts';
import type { Instance } from './compose.ts';
import type { Config } from './config.ts';
import { type Connections, watchConnections } from './end-connections.ts';

/** A listening instance. */
export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Finishes what is under way and lets go of everything; calling it again waits for the same end. */
  stop(): Promise<void>;
}

/** Room for a predicate of 100 KB, percent-encoded, in the request line. */
const maxHeaderBytes = 393_216;

/** Heads arrive as fast as bodies must. */
const headTimeoutMs = bodyTimeoutMs(maxHeaderBytes);
/** How often Node looks for heads that are late. */
const timeoutCheckMs = 2000;

/**
 * Makes an instance listen. What arrives before `prepare` is done waits for it.
 *
 * Errors: the operating system's own, such as EADDRINUSE, and then nothing was prepared; those of `prepare`.
 */
export async function startServer({
  instance,
  config,
  logger,
  prepare = async () => {},
}: {
  instance: Instance;
  config: Config;
  logger: Logger;
  prepare?: () => Promise<void>;
}): Promise<RunningServer> {
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    // The application answers what lacks a Host or expects something, as Node's own answers have no body.
    requireHostHeader: false,
    headersTimeout: headTimeoutMs,
    // The application has its own limit for bodies; this one is for what it does not read.
    requestTimeout: headTimeoutMs + bodyTimeoutMs(config.maxBodyBytes),
    connectionsCheckingInterval: timeoutCheckMs,
  });
  const connections = watchConnections(server);
  const { promise: isPrepared, resolve: serve } = Promise.withResolvers<void>();
  // By then the whole chunk is parsed, so that the body of a small request is there.
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void isPrepared.then(() => instance.app(request, response));
  server.on('request', answer);
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (request, response) => server.emit('request', request, response));
  }
  server.on('clientError', createBrokenRequestAnswerer(connections));
  await listen(server, config);
  try {
    await prepare();
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
  serve();
  instance.startChecking();
  const { address, port, family } = server.address() as AddressInfo; // A TCP server has no other kind.
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;

  let stopping: Promise<void> | undefined;
  const stop = async () => {
    logger.info({}, 'stopping');
    instance.startStopping();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    connections.endAll();
    const deadline = setTimeout(() => server.closeAllConnections(), config.shutdownMs);
    await closed;
    clearTimeout(deadline);
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

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

/** What breaks a request before it is one, by Node's code: the answer's status and the reason. */
const brokenRequests: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', `is larger than ${maxHeaderBytes} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'did not arrive in time'],
};

/** What is not even HTTP never reaches the application; the sender gets an answer all the same. */
function createBrokenRequestAnswerer({ endSoftly }: Connections) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, reason] = brokenRequests[error.code ?? ''] ?? [
      '400 Bad Request',
      'is not HTTP as it should be',
    ];
    const body = JSON.stringify(toErrorAnswer(invalidParameter('The head of the request', reason)).body);
    const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
    socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
    endSoftly(socket);
  };
}
