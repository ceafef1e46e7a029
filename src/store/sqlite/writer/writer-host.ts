/**
 * The parent's side of the writer that several workers share. The first worker starts it, and its content types are those of all.
 *
 * What a worker has asked for is done even if the worker ends meanwhile: each write either completely or not at all.
 */
import type { SharedWriter } from '../../store-adapter.ts';
import { toWriterMetrics } from '../../store-metrics.ts';
import { createOpenedFile } from '../threads/opened-file.ts';
import { serializeError } from '../threads/worker-calls.ts';
import { nowMs } from '../writes/group-commit.ts';
import type { MessageFromHost, MessageToHost, OpenedWriter, WorkerQuestion } from './remote-writer.ts';
import { type MessageStream, openMessageStream } from './remote-writer.ts';
import { type StoreWriter, startStoreWriter, type WriterOptions } from './store-writer.ts';

/** Creates the host for a database file. */
export function createWriterHost({
  file,
  logger,
  ...options
}: Pick<WriterOptions, 'logger' | 'memoryMb'> & { file: string }): SharedWriter {
  const workers = new Set<MessageStream<MessageFromHost>>();
  const onIndexesChanged = () => {
    for (const worker of workers) worker.send('indexes changed');
  };
  let starting: Promise<StoreWriter> | undefined;
  let started: StoreWriter | undefined;
  let serving: Promise<void> | undefined;

  function open(types: WriterOptions['types']): Promise<StoreWriter> {
    starting ??= startStoreWriter({
      ...options,
      opened: createOpenedFile(file),
      types,
      logger,
      onIndexesChanged,
    }).catch((error) => {
      starting = undefined;
      throw error;
    });
    return starting;
  }

  function getWriter(): Promise<StoreWriter> {
    if (!starting) throw new Error('The writer has not been opened');
    return starting;
  }

  async function answer(question: WorkerQuestion, signal: AbortSignal): Promise<unknown> {
    if (question.kind === 'open') {
      started = await open(question.types);
      const { ready, opened } = started;
      return { ready, identity: opened.identity() } satisfies OpenedWriter;
    }
    const writer = await getWriter();
    switch (question.kind) {
      case 'call':
        return writer.call(question.request, signal);
      case 'write':
        return writer.call({ ...question.request, waitUntilMs: nowMs() + question.leftMs }, signal);
      case 'serve':
        serving ??= writer.serve(question.types).catch((error) => {
          serving = undefined;
          throw error;
        });
        return serving;
      default:
        return writer[question.kind]();
    }
  }

  return {
    join(channel) {
      const running = new Map<number, AbortController>();
      const worker = openMessageStream<MessageFromHost, MessageToHost>(channel, {
        onMessage({ number, question }) {
          if (question === 'abort') {
            running.get(number)?.abort();
            return;
          }
          const controller = new AbortController();
          running.set(number, controller);
          answer(question, controller.signal)
            .then(
              (value) => worker.send({ number, value }),
              (error) => worker.send({ number, error: serializeError(error) }),
            )
            .finally(() => running.delete(number));
        },
        onClosed: () => void workers.delete(worker),
      });
      workers.add(worker);
    },
    collect() {
      const load = started?.load?.();
      return load ? toWriterMetrics(load) : [];
    },
    async stop() {
      const writer = await starting?.catch(() => undefined);
      await writer?.stop();
    },
  };
}
