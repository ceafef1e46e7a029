/**
 * Entry of the writer thread: prepares the database file, then runs every write of this process.
 *
 * Writes that came in while the last commit was being synced share the next one: durability costs one sync for many.
 */
import { openConnection } from '../connection.ts';
import { createStoredTypes, type TypeToStore } from '../indexes/stored-types.ts';
import { prepareSchema } from '../schema.ts';
import { createServing, type ServeRequest, type Serving, type ServingRequest } from '../serving-processes.ts';
import { createGroupCommit, type GroupCommit, type QueuedRequest } from '../writes/group-commit.ts';
import { attemptMs } from '../writes/transaction.ts';
import { serveCalls } from './worker-calls.ts';

/** What the thread is started with. */
export interface WriterData {
  readonly file: string;
  readonly types: readonly TypeToStore[];
  /** Whether nothing is to be written, not even a number for a class name that is new. */
  readonly isReadOnly: boolean;
  /** Whether an earlier thread of this process has prepared the file, so that it must be there. */
  readonly isPrepared: boolean;
  /** What that thread was asked to serve. */
  readonly resumed?: ServeRequest | undefined;
}

/** What it tells when it is ready: the number of each class name. */
export interface WriterReady {
  readonly numbers: ReadonlyMap<string, number>;
}

/** What it is asked to do. */
export type WriterRequest = QueuedRequest | ServingRequest;

const limits = { calls: 256, bytes: 64_000_000, sizeOf };

serveCalls<WriterRequest, WriterData>({
  limits,
  start({ data: { file, types, isReadOnly, isPrepared, resumed } }) {
    const database = openConnection({ file, busyMs: attemptMs, mustExist: isPrepared });
    const classes = isReadOnly ? [] : types.map((type) => type.class);
    const numbers = prepareSchema(database, { file, classes, mustExist: isPrepared });
    const stored = createStoredTypes(types, numbers);
    const serving = createServing(database, stored, resumed);
    const writes = createGroupCommit(database, { types: stored, before: serving.assertKept });
    return {
      ready: { numbers } satisfies WriterReady,
      run: (requests) => runInTurn(requests, { serving, writes }),
      close() {
        database.exec('PRAGMA wal_checkpoint(PASSIVE)');
        database.close();
      },
    };
  },
});

/** The writes that came together share a transaction; what is done to indexes has transactions of its own. */
function runInTurn(
  requests: readonly WriterRequest[],
  { serving, writes }: { serving: Serving; writes: GroupCommit },
): PromiseSettledResult<unknown>[] {
  const written = writes(requests.filter((request) => !isServing(request)));
  let next = 0;
  return requests.map((request) => {
    if (!isServing(request)) return written[next++] ?? { status: 'rejected', reason: undefined };
    try {
      return { status: 'fulfilled', value: serving.run(request) };
    } catch (reason) {
      return { status: 'rejected', reason };
    }
  });
}

const isServing = (request: WriterRequest): request is ServingRequest =>
  request.kind === 'prepare' || request.kind === 'serve' || request.kind === 'heartbeat';

/** How long the texts of a request are. */
function sizeOf(request: WriterRequest): number {
  switch (request.kind) {
    case 'insert':
      return request.document.length;
    case 'patch':
      return request.changes.length;
    case 'sequence':
      return request.writes.reduce((sum, write) => sum + sizeOf(write), 0);
    default:
      return 0;
  }
}
