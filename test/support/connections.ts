/** Connections on which a test writes what it likes, and sees what comes back as it comes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to a server. */
export interface OpenConnection {
  readonly socket: Socket;
  /** All that has come so far. */
  received(): string;
  /** The status of each answer so far. */
  statuses(): number[];
  /** Resolves, to what had come by then, when the server has ended the connection. */
  readonly ended: Promise<string>;
}

/** Connects to a server, and reads whatever comes. */
export async function openConnection(url: string): Promise<OpenConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  const received = () => Buffer.concat(chunks).toString('latin1');
  // A connection that the server ends early may be reset; what came before counts.
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

/** The head of a request, from its first line and its headers. */
export function headOf(line: string, headers: Readonly<Record<string, string | number>> = {}): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

/** Writes the same bytes again and again for as long as the server takes them, and returns how many it took so far. */
export function writeForever({ socket }: OpenConnection, bytes: string): () => number {
  const write = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', write);
  write();
  return () => socket.bytesWritten - socket.writableLength;
}
