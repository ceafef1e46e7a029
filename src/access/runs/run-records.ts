/**
 * Records of runs: one for each name, whose ID is made from the name, so that of two clients that begin it at once one wins.
 */
import { isDomainError, notFound } from '../../base/errors.ts';
import type { Actor } from '../../base/request-origin.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { Asset, JsonObject } from '../../model/content-type.ts';

/** The content type of the records. */
const runType = 'com.colophon.system.Run';

/** The stored facts of a run. */
export interface RunRecord {
  readonly stored: StoredAsset;
  readonly name: string;
  readonly by: Actor;
  readonly beganAtMs: number;
  readonly closedAtMs?: number;
  readonly revertOf?: string;
  readonly revertedBy?: string;
}

/** Reads and writes the records. */
export interface RunRecords {
  find(name: string): Promise<RunRecord | undefined>;
  /** Errors: not_found. */
  get(name: string): Promise<RunRecord>;
  /** Finds a page, the newest first. */
  list(page: RunPage): Promise<readonly RunRecord[]>;
  /** Finds the oldest that began before a time. */
  findOldest(range: { readonly beforeMs: number; readonly limit: number }): Promise<readonly RunRecord[]>;
  /** Finds up to 100 runs that revert a run. */
  findReverts(name: string): Promise<readonly RunRecord[]>;
  /** Returns the new record, or `undefined` when there is one of that name. */
  create(run: NewRun): Promise<RunRecord | undefined>;
  /** Changes a record that is unchanged since it was read. Errors: not_found, precondition_failed. */
  update(record: RunRecord, changes: JsonObject): Promise<RunRecord>;
  delete(record: RunRecord): Promise<void>;
}

/** Up to `limit` runs that began before another. */
export interface RunPage {
  readonly after?: Pick<RunRecord, 'name' | 'beganAtMs'>;
  readonly limit: number;
}

/** A run that begins. */
export interface NewRun {
  readonly name: string;
  readonly by: Actor;
  readonly beganAtMs: number;
  readonly others?: JsonObject;
}

/** Creates the records of a system's content service. */
export function createRunRecords(system: ContentService): RunRecords {
  async function find(name: string): Promise<RunRecord | undefined> {
    try {
      const record = toRecord(await system.get(toRecordId(name), {}));
      return record.name === name ? record : undefined;
    } catch (error) {
      if (isDomainError(error, 'not_found')) return undefined;
      throw error;
    }
  }

  async function get(name: string): Promise<RunRecord> {
    const record = await find(name);
    if (!record) throw notFound(name, 'run');
    return record;
  }

  async function list({ after, limit }: RunPage): Promise<readonly RunRecord[]> {
    const sort = [
      { field: 'beganAt', descending: true },
      { field: '_id', descending: true },
    ];
    const rest = after && {
      where: 'beganAt < ?0 or (beganAt = ?0 and _id < ?1)',
      values: [after.beganAtMs, toRecordId(after.name)],
    };
    const { items } = await system.find(
      { from: runType, sort, offset: 0, limit, withCount: false, ...rest },
      {},
    );
    return items.map(toRecord);
  }

  async function findOldest({ beforeMs, limit }: { beforeMs: number; limit: number }) {
    const query = { from: runType, where: 'beganAt < ?', values: [beforeMs] };
    const sort = [{ field: 'beganAt', descending: false }];
    const { items } = await system.find({ ...query, sort, offset: 0, limit, withCount: false }, {});
    return items.map(toRecord);
  }

  async function findReverts(name: string): Promise<readonly RunRecord[]> {
    const query = { from: runType, where: 'revertOf = ?', values: [name] };
    const { items } = await system.find({ ...query, offset: 0, limit: 100, withCount: false }, {});
    return items.map(toRecord);
  }

  async function create({ name, by, beganAtMs, others = {} }: NewRun): Promise<RunRecord | undefined> {
    const record = {
      _id: toRecordId(name),
      _type: runType,
      name,
      byKind: by.kind,
      ...(by.id !== undefined && { byId: by.id }),
      ...(by.name !== undefined && { byName: by.name }),
      beganAt: beganAtMs,
      ...others,
    };
    try {
      return toRecord(await system.create(record, {}));
    } catch (error) {
      if (isDomainError(error, 'id_in_use')) return undefined;
      throw error;
    }
  }

  async function update({ stored }: RunRecord, body: JsonObject): Promise<RunRecord> {
    const { asset, version } = stored;
    return toRecord(await system.update({ id: asset._id, body, ifVersions: [version] }, {}));
  }

  async function remove({ stored: { asset, version } }: RunRecord): Promise<void> {
    await system.delete({ id: asset._id, ifVersions: [version] }, {});
  }

  return { find, get, list, findOldest, findReverts, create, update, delete: remove };
}

const toRecordId = (name: string) => toHashedUuid(`run: ${name}`);

/** Reads a record from its asset. */
function toRecord(stored: StoredAsset): RunRecord {
  const { asset } = stored;
  const { byId, byName, closedAt, revertOf, revertedBy } = asset;
  return {
    stored,
    name: String(asset.name),
    by: {
      kind: kindOf(asset),
      ...(byId !== undefined && { id: String(byId) }),
      ...(byName !== undefined && { name: String(byName) }),
    },
    beganAtMs: Number(asset.beganAt),
    ...(closedAt !== undefined && { closedAtMs: Number(closedAt) }),
    ...(revertOf !== undefined && { revertOf: String(revertOf) }),
    ...(revertedBy !== undefined && { revertedBy: String(revertedBy) }),
  };
}

const kinds: readonly Actor['kind'][] = ['client', 'user', 'anonymous', 'command', 'system'];

const kindOf = ({ byKind }: Asset): Actor['kind'] => kinds.find((kind) => kind === byKind) ?? 'system';
