/**
 * Applies one write to one asset: changes its row and its index values, the total and revision of its type, and appends the entry to the change log.
 * The caller opens the transaction.
 */

import type { DatabaseSync } from 'node:sqlite';
import { type DomainError, idInUse, preconditionFailed, valueInUse } from '../../../base/errors.ts';
import type { Asset, JsonObject } from '../../../model/content-type.ts';
import { applyPatch, findChanges, omit, type PatchedAsset } from '../changes/apply-patch.ts';
import { createEntryEraser } from '../changes/erase-asset.ts';
import type { LogWriter, NewEntry, StoredOrigin } from '../changes/log-writer.ts';
import { checksumOf } from '../document-checksum.ts';
import {
  getType,
  indexedValues,
  type StoredType,
  type StoredTypes,
  toWritten,
} from '../indexes/field-indexes.ts';
import type { ValueWriter } from '../indexes/value-writer.ts';
import { isUniqueViolation } from '../map-error.ts';
import type {
  DeleteRequest,
  EventRequest,
  InsertRequest,
  PatchRequest,
  WriteRequest,
} from './write-requests.ts';

/** The changed document for a patch, else `true`; `undefined` when the asset to patch or delete does not exist. */
export type WriteResult = string | true | undefined;

/** Runs one write. Its errors: id_in_use, value_in_use, precondition_failed, SQLite's. */
type RowWriter = (request: WriteRequest, origin: StoredOrigin) => WriteResult;

/** A write with its type. */
interface Write<Request extends WriteRequest> {
  readonly request: Request;
  readonly type: StoredType;
  readonly origin: StoredOrigin;
}

/** Prepares the statements. */
export function createRowWriter(
  database: DatabaseSync,
  { types, log, values }: { types: StoredTypes; log: LogWriter; values: ValueWriter },
): RowWriter {
  const rows = createRowStatements(database);
  const eraseEntries = createEntryEraser(database, { types, log });

  /** Appends an entry of a logged type. `describe` returns what the change did. */
  function append(
    { type, origin, request }: Write<WriteRequest>,
    describe: () => Omit<NewEntry, 'origin' | 'asset' | 'type'>,
  ): void {
    if (isLogged(type)) log.append({ origin, asset: request.id, type: type.number, ...describe() });
  }

  function insert(write: Write<InsertRequest>): WriteResult {
    const { id, version, document, fields } = write.request;
    const { type } = write;
    const number = isLogged(type) ? log.findLast(id) + 1 : 0;
    const key = explainConflict(
      () => rows.insert({ id, type, version, number, document }),
      () => idInUse(id),
    );
    const readAsset = () => parseAsset(document);
    explainConflict(
      () => values.insert({ type: type.number, key, id }, readAsset),
      () => findValueInUse(database, values, { type: type.number, id, asset: readAsset() }),
    );
    rows.count(1, type);
    const state = () => withoutSecrets(document, type);
    append(write, () => ({ action: 'create', id: version, number, changed: fields, state }));
    return true;
  }

  function patch(write: Write<PatchRequest>): WriteResult {
    const { id, version, changes } = write.request;
    const { type } = write;
    const row = findToChange(write);
    if (row === undefined) return undefined;
    const patched = applyPatch(row.document, changes);
    const document = JSON.stringify(patched.asset);
    const number = isLogged(type) ? row.last_change + 1 : row.last_change;
    rows.update({ key: row.key, type, version, number, document });
    explainConflict(
      () => values.update({ type: type.number, key: row.key, id }, patched),
      () => findValueInUse(database, values, { type: type.number, id, asset: patched.asset }),
    );
    rows.count(0, type);
    const state = () => withoutSecrets(document, type);
    const entry = { action: 'update', id: version, number, previous: row.version, state } as const;
    append(write, () => ({ ...entry, ...describePatch(patched, type) }));
    return document;
  }

  function remove(write: Write<DeleteRequest>): WriteResult {
    const { request, type } = write;
    const row = findToChange(write);
    if (row === undefined) return undefined;
    rows.remove(row.key);
    values.remove({ type: type.number, key: row.key, id: request.id }, () => parseAsset(row.document));
    rows.count(-1, type);
    if (request.erase === true && isLogged(type)) {
      const { id, change } = request;
      const entries = { id, type: type.number, last: row.last_change, previous: row.version };
      eraseEntries({ ...entries, change, origin: write.origin });
      return true;
    }
    const entry = { action: 'delete', id: request.change, previous: row.version } as const;
    const before = () => withoutSecrets(row.document, type);
    append(write, () => ({ ...entry, number: row.last_change + 1, before: before() }));
    return true;
  }

  /** Appends an event, also when the asset was deleted meanwhile. */
  function note(write: Write<EventRequest>): WriteResult {
    const { request, type } = write;
    const { id, change, action } = request;
    const row = rows.find(id, type);
    const number = (row ? row.last_change : log.findLast(id)) + 1;
    if (row) rows.setLastChange(row.key, number);
    const state = row && (() => withoutSecrets(row.document, type));
    append(write, () => ({ action, id: change, number, previous: row?.version, ...(state && { state }) }));
    return true;
  }

  /** Finds the row of a write that has a precondition. Errors: precondition_failed. */
  function findToChange({ request, type }: Write<PatchRequest | DeleteRequest>): AssetRow | undefined {
    const { id, ifVersion } = request;
    const row = rows.find(id, type);
    if (row && ifVersion !== undefined && ifVersion !== row.version) throw preconditionFailed(id);
    return row;
  }

  return (request, origin) => {
    const type = getType(types, request.type);
    if (type.number === 0) throw new Error('The store was opened for reading');
    switch (request.kind) {
      case 'insert':
        return insert({ request, type, origin });
      case 'patch':
        return patch({ request, type, origin });
      case 'delete':
        return remove({ request, type, origin });
      case 'event':
        return note({ request, type, origin });
    }
  };
}

/** Parses a document. Every stored document is an asset, because `insert` and `patch` accept nothing else. */
const parseAsset = (document: string) => JSON.parse(document) as Asset;

const isLogged = ({ unlogged }: StoredType) => unlogged !== 'all';

const secretsOf = ({ unlogged }: StoredType) => (typeof unlogged === 'object' ? unlogged.secrets : []);

function withoutSecrets(document: string, type: StoredType): string {
  const secrets = secretsOf(type);
  // Every stored document is a JSON object.
  return secrets.length === 0 ? document : JSON.stringify(omit(JSON.parse(document) as JsonObject, secrets));
}

function describePatch(patched: PatchedAsset, type: StoredType): Pick<NewEntry, 'changed' | 'before'> {
  const { changed, before } = findChanges(patched);
  const logged = omit(before, secretsOf(type));
  const names = changed.length > 0 ? JSON.stringify(changed) : undefined;
  return { changed: names, before: Object.keys(logged).length > 0 ? JSON.stringify(logged) : undefined };
}

/** The columns of a stored row that writes need. */
interface AssetRow {
  readonly key: number;
  readonly version: string;
  /** The number of the last entry in the change log, 0 when there is none. */
  readonly last_change: number;
  readonly document: string;
}

/** A new row. `number` is that of its entry in the change log. */
interface NewRow {
  readonly id: string;
  readonly type: StoredType;
  readonly version: string;
  readonly number: number;
  readonly document: string;
}

/** Prepares the statements. */
function createRowStatements(database: DatabaseSync) {
  const select = database.prepare(
    'SELECT key, version, last_change, document FROM assets WHERE id = ? AND type = ?',
  );
  const insert = database.prepare(
    'INSERT INTO assets (id, type, version, shape, last_change, checksum, document) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const update = database.prepare(
    `UPDATE assets SET version = ?, last_change = ?, checksum = ?, document = ?, shape = iif(shape IS ?, shape, NULL)
      WHERE key = ?`,
  );
  const setLastChange = database.prepare('UPDATE assets SET last_change = ? WHERE key = ?');
  const remove = database.prepare('DELETE FROM assets WHERE key = ?');
  const updateTotals = database.prepare(
    'UPDATE types SET total = total + ?, revision = revision + 1 WHERE number = ?',
  );
  return {
    // The strict table in `schema.ts` guarantees the types of the columns.
    find: (id: string, type: StoredType) => select.get(id, type.number) as AssetRow | undefined,
    /** Returns the key of the row. */
    insert: ({ id, type, version, number, document }: NewRow) =>
      Number(
        insert.run(id, type.number, version, type.shape, number, checksumOf(document), document)
          .lastInsertRowid,
      ),
    /** The row keeps its shape only if the type of this process has it, by which the change was checked. */
    update: ({ key, type, version, number, document }: Omit<NewRow, 'id'> & { readonly key: number }) =>
      update.run(version, number, checksumOf(document), document, type.shape, key),
    setLastChange: (key: number, number: number) => setLastChange.run(number, key),
    remove: (key: number) => remove.run(key),
    /** Adds to the total of a type and changes its revision. */
    count: (added: number, type: StoredType) => updateTotals.run(added, type.number),
  };
}

/** Runs `write`; when it violates a unique constraint, throws what `explain` returns. */
export function explainConflict<Result>(write: () => Result, explain: () => DomainError | undefined): Result {
  try {
    return write();
  } catch (error) {
    throw isUniqueViolation(error) ? (explain() ?? error) : error;
  }
}

/** The asset that a write stores. */
interface Candidate {
  readonly type: number;
  readonly id: string;
  readonly asset: Asset;
}

/** Finds the value of an asset that another one has. */
export function findValueInUse(
  database: DatabaseSync,
  values: ValueWriter,
  { type, id, asset }: Candidate,
): DomainError | undefined {
  for (const index of values.uniqueOf(type)) {
    const rival = database.prepare(`SELECT 1 FROM ${index.table} WHERE ${index.column} = ? AND id <> ?`);
    for (const value of indexedValues(index, asset))
      if (rival.get(value, id)) return valueInUse(index.field, toWritten(index, value));
  }
  return undefined;
}
