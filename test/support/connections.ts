/** Raw TCP connections: a test writes any bytes and reads the response while it arrives. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to a server. */
export interface OpenConnection {
  readonly socket: Socket;
  /** Everything received so far. */
  received(): string;
  /** The status of each response received so far. */
  statuses(): number[];
  /** Resolves when the connection closes, to everything received. */
  readonly ended: Promise<string>;
}

/** Connects to a server and collects everything it sends. */
export async function openConnection(url: string): Promise<OpenConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  const received = () => Buffer.concat(chunks).toString('latin1');
  // When the server ends the connection early, it may be reset; the bytes received before still count.
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received())));
  await once(socket, 'connect');
  return {
    socket,
    received,
    statuses: () => [...received().matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
    ended,
  };
}

/** Formats the head of a request from its first line and its headers. */
export function headOf(line: string, headers: Readonly<Record<string, string | number>> = {}): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

/** Writes the same bytes repeatedly while the server accepts them; the returned function counts the bytes sent so far. */
export function writeForever({ socket }: OpenConnection, bytes: string): () => number {
  const write = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', write);
  write();
  return () => socket.bytesWritten - socket.writableLength;
}
