/**
 * The content service as users of the library call it.
 */

import { Readable } from 'node:stream';
import { invalidBody, invalidParameter, isDomainError } from '../../base/errors.ts';
import type { BatchOperation as BatchStep, OperationOutcome } from '../../content/batch/batch.ts';
import type { ContentService } from '../../content/content-service.ts';
import { readPatch } from '../../content/patch/patch-asset.ts';
import type { UploadFile } from '../../files/upload-file.ts';
import { defaultLimit, maxLimit } from '../../text/page-limits.ts';
import type {
  AssetQuery,
  Batch,
  BatchOperation,
  BatchResult,
  ColophonContent,
  FileNames,
  UpdateOptions,
  VersionCondition,
} from './colophon.ts';

/** Creates the calls on a content service, with all rights. */
export function createContentCalls({
  content,
  upload,
}: {
  content: ContentService;
  upload: UploadFile;
}): ColophonContent {
  const caller = {};
  return {
    get: async (id) => content.get(readId(id), caller),
    async find(query) {
      const { count = 0, items } = await content.find(readQuery(query), caller);
      return { count, items: items.map(({ asset }) => asset) };
    },
    create: async (asset) => content.create(toJson(asset), caller),
    update: async (id, changes, options = {}) =>
      content.update({ id: readId(id), body: toJson(changes), ...readUpdate(options) }, caller),
    patch: async (id, patch, options = {}) =>
      content.patch({ id: readId(id), patch: readPatch(toJson(patch)), ...readCondition(options) }, caller),
    async delete(id, options = {}) {
      await content.delete({ id: readId(id), ...readCondition(options) }, caller);
    },
    async batch(batch) {
      assertKnown(batch, 'batch');
      const { operations, atomic = false, references = 'checked', updateDates, skipUnchanged } = batch;
      const terms = { atomic, references, updateDates, skipUnchanged };
      const request = { ...terms, operations: operations.map(readOperation) };
      return (await content.batch(request, caller)).map(toResult);
    },
    async uploadFile(bytes, file) {
      assertKnown(file, 'file');
      return upload({ open: () => Readable.from(toChunks(bytes), { objectMode: false }), name: file.name });
    },
  };
}

const toChunks = (bytes: Uint8Array | AsyncIterable<Uint8Array>) =>
  bytes instanceof Uint8Array ? [bytes] : bytes;

function readId(id: unknown): string {
  if (typeof id === 'string') return id;
  throw invalidParameter('id', 'must be a string');
}

function readQuery(query: AssetQuery) {
  assertKnown(query, 'query');
  const { from, where, values, offset = 0, limit = defaultLimit, sort } = query;
  if (!isWithin(offset, Number.MAX_SAFE_INTEGER)) {
    throw invalidParameter('offset', 'must be a whole number from 0');
  }
  if (!isWithin(limit, maxLimit)) {
    throw invalidParameter('limit', `must be a whole number from 0 to ${maxLimit}`);
  }
  const keys = sort?.map((key) => {
    assertKnown(key, 'sortKey');
    return { field: key.field, descending: key.descending ?? false };
  });
  return {
    from,
    offset,
    limit,
    withCount: true,
    ...(where !== undefined && { where }),
    ...(values !== undefined && { values }),
    ...(keys !== undefined && { sort: keys }),
  };
}

const isWithin = (value: number, max: number) => Number.isInteger(value) && value >= 0 && value <= max;

const conditionOf = (version: string | undefined) => (version === undefined ? {} : { ifVersions: [version] });

function readCondition(options: VersionCondition) {
  assertKnown(options, 'condition');
  return conditionOf(options.ifVersion);
}

function readUpdate(options: UpdateOptions) {
  assertKnown(options, 'update');
  const { ifVersion, baseVersion } = options;
  return { ...conditionOf(ifVersion), ...(baseVersion !== undefined && { baseVersion }) };
}

/** Copies a value as JSON, so that what its owner changes later has no effect. */
function toJson(value: unknown) {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Reads an operation of a batch; one that is wrong is refused by itself. */
function readOperation(operation: BatchOperation): BatchStep {
  try {
    return readKnown(operation);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { action: 'unreadable', error };
  }
}

function readKnown(operation: BatchOperation): BatchStep {
  switch (operation.action) {
    case 'create':
      assertKnown(operation, 'create');
      return { action: operation.action, asset: toJson(operation.asset) };
    case 'update':
    case 'upsert': {
      assertKnown(operation, 'change');
      const { action, by = '_id', asset, ifVersion, baseVersion } = operation;
      const base = baseVersion === undefined ? {} : { baseVersion };
      return { action, by, asset: toJson(asset), ...conditionOf(ifVersion), ...base };
    }
    case 'replace': {
      assertKnown(operation, 'replace');
      const { action, by = '_id', asset } = operation;
      return { action, by, asset: toJson(asset) };
    }
    case 'patch': {
      assertKnown(operation, 'patch');
      const { action, id, ifVersion } = operation;
      const document = toJson(operation.patch);
      return {
        action,
        id: readId(id),
        document,
        patch: readPatch(document, 'patch'),
        ...conditionOf(ifVersion),
      };
    }
    case 'delete':
      assertKnown(operation, 'delete');
      return { action: operation.action, id: readId(operation.id), ...conditionOf(operation.ifVersion) };
    default: {
      const problem = { path: 'action', message: 'must be create, update, upsert, replace, patch or delete' };
      throw invalidBody([problem]);
    }
  }
}

function toResult(outcome: OperationOutcome): BatchResult {
  if (outcome.kind === 'refused') return { outcome: 'refused', error: outcome.error };
  const { effect, id, version, change, unresolved } = outcome;
  return {
    outcome: effect,
    id,
    unresolved: unresolved.map(({ path, reference }) => ({ path, ...reference })),
    ...(version !== undefined && { version }),
    ...(change !== undefined && { change }),
  };
}

/** Lists the members of an object type, of which the table leaves none out. */
const membersOf = <Options>(table: Record<keyof Options, true>): readonly string[] => Object.keys(table);

type Operation<Action> = Extract<BatchOperation, { action: Action }>;
type Changing = Extract<BatchOperation, { baseVersion?: unknown }>;

/** The options of each call, and the members of what they contain. */
const known = {
  query: membersOf<AssetQuery>({
    from: true,
    where: true,
    values: true,
    offset: true,
    limit: true,
    sort: true,
  }),
  sortKey: membersOf<NonNullable<AssetQuery['sort']>[number]>({ field: true, descending: true }),
  update: membersOf<UpdateOptions>({ ifVersion: true, baseVersion: true }),
  condition: membersOf<VersionCondition>({ ifVersion: true }),
  file: membersOf<FileNames>({ name: true }),
  batch: membersOf<Batch>({
    operations: true,
    atomic: true,
    references: true,
    updateDates: true,
    skipUnchanged: true,
  }),
  create: membersOf<Operation<'create'>>({ action: true, asset: true }),
  change: membersOf<Changing>({ action: true, asset: true, by: true, ifVersion: true, baseVersion: true }),
  replace: membersOf<Operation<'replace'>>({ action: true, asset: true, by: true }),
  patch: membersOf<Operation<'patch'>>({ action: true, id: true, patch: true, ifVersion: true }),
  delete: membersOf<Operation<'delete'>>({ action: true, id: true, ifVersion: true }),
};

/** Refuses options with a name that is not known, unless they are undefined. Errors: invalid_parameter. */
function assertKnown(options: object, of: keyof typeof known): void {
  if (typeof options !== 'object' || options === null) {
    throw invalidParameter('options', 'must be an object');
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known[of].includes(name)) continue;
    throw invalidParameter(name, `is not known here; there are ${known[of].join(', ')}`);
  }
}
