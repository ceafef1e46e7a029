/**
 * Reads the body of a batch. What is no batch is refused whole; what is wrong with one operation is answered for that one.
 */
import { invalidBody, isDomainError, type Problem } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { BatchOperation, BatchRequest } from '../../content/batch/batch.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { lengthMessage } from '../../model/length-message.ts';
import { isJsonObject } from '../../model/validate-asset.ts';
import { parseIfMatch } from '../response/entity-tag.ts';

/** The most operations of one batch. */
const maxOperations = 1000;

/** Reads a body. Errors: invalid_body. */
export function readBatch(body: unknown): BatchRequest {
  if (!isJsonObject(body)) throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
  const { operations, atomic = false, references = 'checked', ...others } = body;
  const problems = [...checkOperations(operations), ...unknownMembers(others)];
  if (typeof atomic !== 'boolean') problems.push({ path: 'atomic', message: 'must be true or false' });
  if (references !== 'checked' && references !== 'deferred') {
    problems.push({ path: 'references', message: 'must be one of checked, deferred' });
  }
  if (problems.length > 0) throw invalidBody(problems);
  return {
    operations: [operations].flat().map((operation) => readOperation(operation ?? null)),
    atomic: atomic === true,
    references: references === 'deferred' ? references : 'checked',
  };
}

function checkOperations(operations: Json | undefined): Problem[] {
  const path = 'operations';
  if (operations === undefined) return [{ path, message: 'is required' }];
  if (!Array.isArray(operations)) return [{ path, message: 'must be a list' }];
  if (operations.length === 0) return [{ path, message: lengthMessage(1, 'items') }];
  if (operations.length <= maxOperations) return [];
  return [{ path, message: `must have at most ${maxOperations} items` }];
}

/** The members each action has, those it needs first. */
const members = {
  create: ['asset'],
  update: ['asset', 'by', 'ifMatch'],
  upsert: ['asset', 'by'],
  delete: ['id', 'ifMatch'],
} as const;

function readOperation(operation: Json): BatchOperation {
  try {
    if (!isJsonObject(operation)) throw invalidBody([{ path: '', message: 'must be an object' }]);
    return readAction(operation);
  } catch (error) {
    if (isDomainError(error)) return { action: 'unreadable', error };
    throw error;
  }
}

function readAction({ action, ...given }: JsonObject): BatchOperation {
  switch (action) {
    case 'create':
      assertMembers(given, action);
      return { action, asset: given.asset };
    case 'update':
      assertMembers(given, action);
      return { action, asset: given.asset, by: readBy(given), ...readCondition(given) };
    case 'upsert':
      assertMembers(given, action);
      return { action, asset: given.asset, by: readBy(given) };
    case 'delete':
      assertMembers(given, action);
      return { action, id: readId(given), ...readCondition(given) };
    default: {
      const message =
        action === undefined ? 'is required' : `must be one of ${Object.keys(members).join(', ')}`;
      throw invalidBody([{ path: 'action', message }]);
    }
  }
}

/** Of the members but `asset`, which is checked as an asset is, all are texts. */
function assertMembers(given: JsonObject, action: keyof typeof members): void {
  const known: readonly string[] = members[action];
  const { asset: _, ...texts } = given;
  const unknown = Object.fromEntries(Object.entries(given).filter(([name]) => !known.includes(name)));
  const problems = unknownMembers(unknown);
  for (const [name, value] of Object.entries(texts)) {
    if (known.includes(name) && typeof value !== 'string')
      problems.push({ path: name, message: 'must be a text' });
  }
  const [needed = ''] = known;
  if (given[needed] === undefined) problems.push({ path: needed, message: 'is required' });
  if (problems.length > 0) throw invalidBody(problems);
}

const unknownMembers = (others: JsonObject): Problem[] =>
  Object.keys(others).map((path) => ({ path, message: 'is not known here' }));

function readId({ id }: JsonObject): string {
  if (typeof id === 'string' && isUuid(id)) return id;
  throw invalidBody([{ path: 'id', message: 'must be a UUID' }]);
}

const readBy = ({ by }: JsonObject) => (typeof by === 'string' ? by : '_id');

function readCondition({ ifMatch }: JsonObject): { ifVersions?: readonly string[] } {
  const ifVersions = typeof ifMatch === 'string' ? parseIfMatch(ifMatch, 'ifMatch') : undefined;
  return ifVersions ? { ifVersions } : {};
}
