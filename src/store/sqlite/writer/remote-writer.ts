/**
 * A worker's side of the writer in its parent.
 */

import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import { storeBusy } from '../../../base/errors.ts';
import type { ServedTypes } from '../../served-types.ts';
import type { TypeToStore } from '../indexes/field-indexes.ts';
import { createOpenedFile } from '../threads/opened-file.ts';
import { deserializeError, type SerializedError } from '../threads/worker-calls.ts';
import type { WriterReady } from '../threads/writer-entry.ts';
import { nowMs, type QueuedRequest } from '../writes/group-commit.ts';
import type { StoreWriter, WriterCall, WriterResult } from './store-writer.ts';

/** The options to use the parent's writer. */
interface RemoteWriterOptions {
  readonly channel: Duplex;
  readonly file: string;
  readonly types: readonly TypeToStore[];
  /** Called when indexes were created or dropped. */
  readonly onIndexesChanged: () => void;
}

/** Connects to the parent's writer, and starts it if this worker is the first. Errors: those of its start. */
export async function connectWriter({
  channel,
  file,
  types,
  onIndexesChanged,
}: RemoteWriterOptions): Promise<StoreWriter> {
  const { ask, stop } = createQuestions(channel, onIndexesChanged);
  try {
    // The parent answers each kind of question with its kind of result.
    const { ready, identity } = (await ask({ kind: 'open', types })) as OpenedWriter;
    return {
      ready,
      opened: createOpenedFile(file, 'database file', identity),
      call: (request, signal) => ask(toQuestion(request), signal) as Promise<WriterResult>,
      serve: (types) => ask({ kind: 'serve', types }) as Promise<void>,
      prepare: () => ask({ kind: 'prepare' }) as Promise<void>,
      check: () => ask({ kind: 'check' }) as Promise<void>,
      canRecover: () => ask({ kind: 'canRecover' }) as Promise<boolean>,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function toQuestion(request: WriterCall): WorkerQuestion {
  if (!('waitUntilMs' in request) || request.waitUntilMs === undefined) return { kind: 'call', request };
  return { kind: 'write', request, leftMs: request.waitUntilMs - nowMs() };
}

/** Asks the parent questions, and waits for their results. */
function createQuestions(channel: Duplex, onIndexesChanged: () => void) {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastNumber = 0;
  let isClosed = false;
  let onIdle: (() => void) | undefined;
  const stream = openMessageStream<MessageToHost, MessageFromHost>(channel, {
    onMessage(message) {
      if (message === 'indexes changed') {
        onIndexesChanged();
        return;
      }
      const waiting = pending.get(message.number);
      pending.delete(message.number);
      if ('error' in message) waiting?.reject(deserializeError(message.error));
      else waiting?.resolve(message.value);
      if (pending.size === 0) onIdle?.();
    },
    onClosed() {
      isClosed = true;
      for (const { reject } of pending.values()) reject(parentHasEnded());
      pending.clear();
      onIdle?.();
    },
  });
  return {
    ask(question: WorkerQuestion, signal?: AbortSignal): Promise<unknown> {
      if (isClosed) return Promise.reject(parentHasEnded());
      if (signal?.aborted) return Promise.reject(signal.reason);
      const waiting = Promise.withResolvers<unknown>();
      const number = ++lastNumber;
      pending.set(number, waiting);
      stream.send({ number, question });
      const abort = () => {
        stream.send({ number, question: 'abort' });
        waiting.reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort);
      return waiting.promise.finally(() => signal?.removeEventListener('abort', abort));
    },
    /** Ends the channel after all results. */
    async stop(): Promise<void> {
      if (pending.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      stream.end();
    },
  };
}

const parentHasEnded = () => storeBusy('the process that writes has ended');

// Sends messages over a stream of bytes, such as the pipe between two processes.
//
// The messages of one round of the event loop travel in one frame: its length in four bytes, then the list of messages as V8 serializes
// it. Half of a frame, as a process leaves that is killed, is ignored.

/** The sending side of a stream of messages. */
export interface MessageStream<Sent> {
  /** Sends a message; after the end of the stream it is dropped. */
  send(message: Sent): void;
  /** Sends what remains, then ends the stream. */
  end(): void;
}

/** The events of a stream of messages. */
interface MessageEvents<Received> {
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

/** What a worker asks for. */
export type WorkerQuestion =
  /** Starts the writer, unless it runs. The result is an `OpenedWriter`. */
  | { readonly kind: 'open'; readonly types: readonly TypeToStore[] }
  | { readonly kind: 'call'; readonly request: WriterCall }
  /** `leftMs` is the time until the deadline of the write, because each process has its own clock. */
  | { readonly kind: 'write'; readonly request: QueuedRequest; readonly leftMs: number }
  | { readonly kind: 'serve'; readonly types: ServedTypes }
  | { readonly kind: 'prepare' | 'check' | 'canRecover' };

/** A message to the parent: a question, or the news that the worker no longer waits for its result. */
export type MessageToHost =
  | { readonly number: number; readonly question: WorkerQuestion }
  | { readonly number: number; readonly question: 'abort' };

/** The running writer, for a worker. */
export interface OpenedWriter {
  readonly ready: WriterReady;
  readonly identity: string | undefined;
}

/** A message to a worker: the result of its question with this number, or the news that indexes were created or dropped. */
export type MessageFromHost =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly error: SerializedError }
  | 'indexes changed';
