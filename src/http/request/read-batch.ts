/**
 * Reads the body of a batch after its schema has been checked. A body that is not a batch is rejected as a whole; a problem in one
 * operation rejects only that operation.
 */
import type * as api from '../../../generated/server/cma.ts';
import { invalidBody, isDomainError, type Problem } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { BatchOperation, BatchRequest } from '../../content/batch/batch.ts';
import { readPatch } from '../../content/patch/patch-asset.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import type { CheckedBody } from '../../model/values/checked-body.ts';
import { parseIfMatch, parseVersion } from '../response/entity-tag.ts';

/** Reads a body. Errors: invalid_body. */
export function readBatch({ body, problems }: CheckedBody): BatchRequest {
  const batchProblems = problems.filter(({ path }) => !inOperation.test(path));
  if (batchProblems.length > 0) throw invalidBody(batchProblems);
  // The schema found problems in single operations at most, so the body is a batch.
  const {
    operations,
    atomic = false,
    references = 'checked',
    updateDates,
    skipUnchanged,
  } = body as unknown as api.BatchRequest;
  const byOperation = Map.groupBy(problems, ({ path }) => Number(inOperation.exec(path)?.[1]));
  return {
    operations: operations.map((operation, index) => readOperation(operation, byOperation.get(index) ?? [])),
    atomic,
    references,
    updateDates,
    skipUnchanged,
  };
}

const inOperation = /^operations\[(\d+)\]\.?/;

function readOperation(operation: api.BatchOperation, problems: readonly Problem[]): BatchOperation {
  try {
    const operationProblems = problems
      .map((problem) => ({ ...problem, path: problem.path.replace(inOperation, '') }))
      .filter(({ path }) => !isCheckedElsewhere(path, operation));
    if (operationProblems.length > 0) throw invalidBody(operationProblems);
    return readAction(operation);
  } catch (error) {
    if (isDomainError(error)) return { action: 'unreadable', error };
    throw error;
  }
}

/** Tells whether a later check reports the path with a better message: assets by their content type, patches and tags by their parsers. */
function isCheckedElsewhere(path: string, operation: api.BatchOperation): boolean {
  if (path.startsWith('asset.')) return true;
  const { action, ifMatch, baseVersion, patch } = Object(operation);
  if (/^patch\b/.test(path)) return action === 'patch' && patch !== undefined;
  if (path === 'baseVersion') return typeof baseVersion === 'string' && ['update', 'upsert'].includes(action);
  return path === 'ifMatch' && typeof ifMatch === 'string' && ['update', 'patch', 'delete'].includes(action);
}

function readAction(operation: api.BatchOperation): BatchOperation {
  switch (operation.action) {
    case 'create':
      return { action: operation.action, asset: toJson(operation.asset) };
    case 'update': {
      const { action, asset, by = '_id' } = operation;
      return { action, asset: toJson(asset), by, ...readCondition(operation), ...readBase(operation) };
    }
    case 'upsert': {
      const { action, asset, by = '_id' } = operation;
      return { action, asset: toJson(asset), by, ...readBase(operation) };
    }
    case 'replace': {
      const { action, asset, by = '_id' } = operation;
      return { action, asset: toJson(asset), by };
    }
    case 'patch': {
      const { action, id } = operation;
      if (!isUuid(id)) throw invalidBody([{ path: 'id', message: 'must be a UUID' }]);
      const document = operation.patch as Json;
      return { action, id, document, patch: readPatch(document, 'patch'), ...readCondition(operation) };
    }
    case 'delete':
      if (!isUuid(operation.id)) throw invalidBody([{ path: 'id', message: 'must be a UUID' }]);
      return { action: operation.action, id: operation.id, ...readCondition(operation) };
  }
}

/** Returns an asset as parsed JSON; the generated types do not know its fields. */
function toJson(asset: api.AssetCreate | api.AssetUpdate): JsonObject {
  return asset as JsonObject;
}

function readBase({ baseVersion }: { readonly baseVersion?: string }): { baseVersion?: string } {
  return baseVersion === undefined ? {} : { baseVersion: parseVersion(baseVersion, 'baseVersion') };
}

function readCondition({ ifMatch }: { readonly ifMatch?: string }): { ifVersions?: readonly string[] } {
  const ifVersions = parseIfMatch(ifMatch, 'ifMatch');
  return ifVersions ? { ifVersions } : {};
}
