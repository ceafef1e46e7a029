/**
 * Applies a batch of independent writes. Writes whose order makes no difference are sent together, their inserts in one command.
 */
import { type DomainError, isDomainError } from '../../../base/errors.ts';
import type { StoredAsset, WriteOutcome } from '../../port.ts';
import type { Database } from '../database.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import { toKey, type UniqueFields } from '../indexes/unique-values.ts';
import { failedWrites, toStoreError } from '../map-error.ts';
import { mapConcurrently } from './concurrent-tasks.ts';
import { mayRelease, type PlacedWrite, planRuns } from './plan-runs.ts';
import type { SingleWriter } from './single-writer.ts';
import { insertsAtOnce, insertsLimited, withinInsertsLimit } from './time-limits.ts';

/** Applies writes, as the port defines `write` without `atomic`. */
export type UnorderedBatchWriter = (writes: readonly PlacedWrite[]) => Promise<WriteOutcome[]>;

/** Creates the writer over an open database. */
export function createUnorderedBatchWriter({
  database: { assets },
  documents,
  writer,
  uniqueFields,
}: {
  database: Database;
  documents: DocumentWriter;
  writer: SingleWriter;
  uniqueFields: UniqueFields;
}): UnorderedBatchWriter {
  async function readHeldKeys(writes: readonly PlacedWrite[]): Promise<Map<string, string[]>> {
    const releasing = writes.flatMap((write) => (mayRelease(write, uniqueFields) ? [write] : []));
    if (releasing.length === 0) return new Map();
    const paths = new Set(releasing.flatMap(({ type }) => uniqueFields.pathsOf(type)));
    const projection = Object.fromEntries(['_type', ...paths].map((path) => [path, 1]));
    const found = await assets
      .find({ _id: { $in: releasing.map(({ id }) => id) } }, { projection })
      .toArray();
    return new Map(
      found.map((document) => {
        const { _id, _type } = document;
        return [_id, uniqueFields.valuesIn(_type, document).map((value) => toKey(_type, value))];
      }),
    );
  }

  async function insertAll(inserts: readonly Insert[]): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = [];
    while (outcomes.length < inserts.length) {
      const next = inserts.slice(outcomes.length, outcomes.length + insertsAtOnce);
      const last = outcomes.at(-1);
      const isRefused = last?.kind === 'failed' && isBusy(last.error);
      outcomes.push(...(isRefused ? next.map(() => last) : await insertTogether(next)));
    }
    return outcomes;
  }

  async function insertTogether(inserts: readonly Insert[]): Promise<WriteOutcome[]> {
    if (inserts.length === 1) return mapConcurrently(inserts, (one) => settle(() => insertOne(one)));
    try {
      const sent = inserts.map(({ document }) => document);
      await withinInsertsLimit(() => assets.insertMany(sent, { ...insertsLimited, ordered: false }));
      return inserts.map(() => done);
    } catch (error) {
      const failed = failedWrites(error);
      const whole = toStoreError('write', error);
      if (failed.size === 0 && isBusy(whole)) return inserts.map(() => toFailure(whole));
      // Each insert is repeated alone, to get its own error.
      const retry = async (insert: Insert, index: number) => {
        if (failed.size === 0) return settle(() => insertUnlessStored(insert));
        return failed.has(index) ? settle(() => insertOne(insert)) : done;
      };
      return mapConcurrently(inserts, retry);
    }
  }

  const insertOne = (stored: StoredAsset) => writer.insert(stored).then(() => true);

  /** The failed command may have stored some of the documents. */
  async function insertUnlessStored(stored: StoredAsset): Promise<boolean> {
    const { _id } = stored.asset;
    const present = await assets.findOne({ _id }, { projection: { _version: 1 } });
    return present?._version === stored.version || insertOne(stored);
  }

  const change = (one: Change) =>
    settle(() => (one.kind === 'patch' ? writer.patch(one) : writer.delete(one)));

  async function writeRun(run: readonly PlacedWrite[]): Promise<(readonly [number, WriteOutcome])[]> {
    const inserts = run.filter((write) => write.kind === 'insert');
    const others = run.filter((write) => write.kind !== 'insert');
    const [changed, inserted] = await Promise.all([mapConcurrently(others, change), insertAll(inserts)]);
    const outcomes = [...inserted, ...changed];
    return [...inserts, ...others].map(({ index }, n) => [index, outcomes[n] ?? done]);
  }

  return async (writes) => {
    const outcomes = new Map<number, WriteOutcome>();
    const held = await readHeldKeys(writes);
    let busy: DomainError | undefined;
    for (const run of planRuns(writes, { documents, uniqueFields, held })) {
      // A busy database is not asked again for each run.
      const refusal = busy && toFailure(busy);
      const ended = refusal ? run.map(({ index }) => [index, refusal] as const) : await writeRun(run);
      for (const [index, outcome] of ended) {
        outcomes.set(index, outcome);
        if (outcome.kind === 'failed' && isBusy(outcome.error)) busy = outcome.error;
      }
    }
    return writes.map(({ index }) => outcomes.get(index) ?? done);
  };
}

type Insert = Extract<PlacedWrite, { kind: 'insert' }>;
type Change = Exclude<PlacedWrite, Insert>;

const done: WriteOutcome = { kind: 'done' };

const isBusy = (error: DomainError) => isDomainError(error, 'store_busy');

const toFailure = (error: DomainError): WriteOutcome => ({ kind: 'failed', error });

/** Runs one write and returns its outcome; a falsy result means that the asset does not exist. */
async function settle(write: () => Promise<unknown>): Promise<WriteOutcome> {
  try {
    return (await write()) ? done : { kind: 'absent' };
  } catch (error) {
    return toFailure(toStoreError('write', error));
  }
}
