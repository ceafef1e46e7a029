/**
 * A worker's side of the writer in its parent.
 */
import type { Duplex } from 'node:stream';
import { storeBusy } from '../../../base/errors.ts';
import type { TypeToStore } from '../indexes/stored-types.ts';
import { createOpenedFile } from '../threads/opened-file.ts';
import { deserializeError } from '../threads/serialized-error.ts';
import { nowMs } from '../writes/group-commit.ts';
import { openMessageStream } from './message-stream.ts';
import type { StoreWriter, WriterCall, WriterResult } from './store-writer.ts';
import type { MessageFromHost, MessageToHost, OpenedWriter, WorkerQuestion } from './writer-messages.ts';

/** The options to use the parent's writer. */
export interface RemoteWriterOptions {
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
