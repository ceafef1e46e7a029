/**
 * The parent's side of one worker: starts the process and exchanges messages with it.
 *
 * The worker is another process of the same program with the same words, which its variable COLOPHON_WORKER tells apart.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSpread, Member } from './connection-spread.ts';
import { type MessageToParent, type MessageToWorker, storeChannelFd } from './messages.ts';

/** How to start a worker. */
export interface Program {
  /** The main file of this process. */
  readonly file: string;
  /** The words of this process's command line. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives the log of each worker. */
  readonly readLog: (stream: Readable) => void;
}

export interface WorkerEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running worker. */
export type WorkerProcess = ReturnType<typeof startWorkerProcess>;

/** How long to wait for the rest of the log of a worker that has ended. */
const maxLogMs = 1_000;

/** Starts a worker. `onMessage` gets its messages except those about connections. */
export function startWorkerProcess({
  number,
  program: { file, words, environment, readLog },
  onMessage,
}: {
  number: number;
  program: Program;
  onMessage: (message: MessageToParent) => void;
}) {
  const child = fork(file, words, {
    env: { ...environment, COLOPHON_WORKER: String(number) },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc', 'pipe'],
  });
  if (child.stderr) readLog(child.stderr);
  let member: Member | undefined;
  let isLeaving = false;
  /** Sends a message; a worker that has ended receives nothing. */
  const send = (message: MessageToWorker, socket?: Socket) => {
    if (!child.connected) return;
    // A worker that ends meanwhile receives nothing, which its end makes known.
    child.send(message, socket, { keepOpen: true }, () => {});
  };
  child.on('message', (message: MessageToParent) => {
    if (message.kind === 'accepted') member?.accepted(message.number);
    else if (message.kind === 'closed') member?.closed(message.count);
    else onMessage(message);
  });
  const leave = () => {
    isLeaving = true;
    member?.leave();
  };
  /** Resolves when the process has ended and all its messages have been read. Never rejects. */
  const ended = untilEnded(child).finally(() => {
    leave();
    member?.lose();
  });
  const logRead = new Promise((resolve) => child.once('close', resolve));
  return {
    number,
    pid: child.pid,
    // A pipe of `fork` is a stream in both directions.
    /** The pipe that the worker's store uses; absent when the process could not be started. */
    storeChannel: (child.stdio[storeChannelFd] as Duplex | null | undefined) ?? undefined,
    send,
    /** Starts to pass connections to the worker. */
    join(spread: ConnectionSpread) {
      member = spread.join((connection, socket) => send({ kind: 'connection', number: connection }, socket));
    },
    /** Whether the worker gets connections. */
    isReady: () => member !== undefined && !isLeaving,
    /** Passes no more connections to the worker, which then finishes its requests and ends. */
    stop() {
      leave();
      send({ kind: 'stop' });
    },
    kill: (): void => void child.kill('SIGKILL'),
    ended,
    /** Resolves when its log has been read, too, unless that takes long because nobody reads the parent's. */
    closed: ended.then(() => Promise.race([logRead, sleep(maxLogMs, undefined, { ref: false })])),
  };
}

/** Waits for the end of a process and of its messages, which may be read later. */
function untilEnded(child: ChildProcess): Promise<WorkerEnd> {
  return new Promise((resolve) => {
    let end: WorkerEnd | undefined;
    const check = () => {
      if (end && !child.connected) resolve(end);
    };
    child.once('exit', (exitCode, signal) => {
      end = { exitCode, signal };
      check();
    });
    child.once('disconnect', check);
    child.on('error', () => {
      // The process could not be started, and has no other event.
      if (child.pid === undefined) resolve({ exitCode: 1, signal: null });
    });
  });
}
