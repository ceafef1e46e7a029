/**
 * The entry of the writer thread: prepares the database file, then runs every write of this process.
 *
 * Writes that arrive during a commit share the next one, so that many writes cost one sync to disk.
 */
import { openConnection } from '../connection.ts';
import { createStoredTypes, type TypeToStore } from '../indexes/stored-types.ts';
import { prepareSchema } from '../schema.ts';
import { createServing, type ServeRequest, type Serving, type ServingRequest } from '../serving-processes.ts';
import { createGroupCommit, type GroupCommit, type QueuedRequest } from '../writes/group-commit.ts';
import { lockAttemptMs } from '../writes/transaction.ts';
import { serveCalls } from './worker-calls.ts';

/** The start data of the thread. */
export interface WriterData {
  readonly file: string;
  readonly types: readonly TypeToStore[];
  /** Whether nothing may be written, not even a number for a new class name. */
  readonly isReadOnly: boolean;
  /** Whether an earlier thread of this process has prepared the file, so that the file must exist. */
  readonly isPrepared: boolean;
  /** The serve request of that thread. */
  readonly resumed?: ServeRequest | undefined;
}

/** The value that the thread sends when it is ready: the number of each class name. */
export interface WriterReady {
  readonly numbers: ReadonlyMap<string, number>;
}

/** A request to the thread. */
export type WriterRequest = QueuedRequest | ServingRequest;

const limits = { calls: 256, bytes: 64_000_000, sizeOf };

serveCalls<WriterRequest, WriterData>({
  limits,
  start({ data: { file, types, isReadOnly, isPrepared, resumed } }) {
    const database = openConnection({ file, busyMs: lockAttemptMs, mustExist: isPrepared });
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

/** Runs all writes of a batch in one transaction. Each change of an index has its own transaction. */
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

/** Returns the length of the texts in a request. */
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
