/**
 * Sends messages over a stream of bytes, such as the pipe between two processes.
 *
 * The messages of one round of the event loop travel in one frame: its length in four bytes, then the list of messages as V8 serializes
 * it. Half of a frame, as a process leaves that is killed, is ignored.
 */
import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

/** The sending side of a stream of messages. */
export interface MessageStream<Sent> {
  /** Sends a message; after the end of the stream it is dropped. */
  send(message: Sent): void;
  /** Sends what remains, then ends the stream. */
  end(): void;
}

/** The events of a stream of messages. */
export interface MessageEvents<Received> {
  onMessage(message: Received): void;
  /** The other side has ended, or the stream has failed. No further message arrives. */
  onClosed(): void;
}

/** The length of a frame is a number of four bytes. */
const headerBytes = 4;
/** A frame has so few messages, because it is held in memory once more as a whole. */
const maxMessages = 32;

/** Opens a stream of messages; the messages that arrive must be of the type `Received`. */
export function openMessageStream<Sent, Received>(
  channel: Duplex,
  { onMessage, onClosed }: MessageEvents<Received>,
): MessageStream<Sent> {
  let queue: Sent[] = [];
  const flush = () => {
    const messages = queue;
    queue = [];
    if (!channel.writable) return;
    channel.cork();
    for (let from = 0; from < messages.length; from += maxMessages) {
      const body = serialize(messages.slice(from, from + maxMessages));
      const header = Buffer.allocUnsafe(headerBytes);
      header.writeUInt32LE(body.length);
      channel.write(header);
      channel.write(body);
    }
    channel.uncork();
  };
  const readFrames = createFrameReader((body) => {
    for (const message of deserialize(body) as Received[]) onMessage(message);
  });
  channel.on('data', readFrames);
  // The end of the other process may show as an error; `close` follows.
  channel.on('error', () => {});
  channel.once('end', () => channel.end());
  channel.once('close', onClosed);
  return {
    send(message) {
      queue.push(message);
      if (queue.length === 1) setImmediate(flush);
    },
    end() {
      flush();
      channel.end();
    },
  };
}

/** Creates a function that takes chunks of bytes, and calls `onFrame` with the body of each complete frame. */
function createFrameReader(onFrame: (body: Buffer) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let size = 0;
  let needed = headerBytes;
  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    // Joined only when a frame is complete, so that each byte of a long one is copied once.
    if (size < needed) return;
    let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks, size);
    for (;;) {
      needed = headerBytes + (rest.length < headerBytes ? 0 : rest.readUInt32LE());
      if (rest.length < needed || needed === headerBytes) break;
      onFrame(rest.subarray(headerBytes, needed));
      rest = rest.subarray(needed);
    }
    chunks = [rest];
    size = rest.length;
  };
}
