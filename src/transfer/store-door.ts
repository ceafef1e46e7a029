/**
 * The door straight to a store, by the content service of this process.
 */
import type { BatchOperation, OperationOutcome } from '../content/batch.ts';
import type { ContentService } from '../content/content-service.ts';
import type { ContentDoor, Operation, OperationResult } from './door.ts';
import { toRefusal } from './refusal.ts';

/** Makes a door that sees and writes everything. */
export function createStoreDoor({
  content,
  target,
  close,
}: {
  content: ContentService;
  target: string;
  close: () => Promise<void>;
}): ContentDoor {
  return {
    target,
    async page(selection, limit) {
      return (await content.find({ ...selection, offset: 0, limit, withCount: false }, {})).items;
    },
    async count(selection) {
      return (await content.find({ ...selection, offset: 0, limit: 0, withCount: true }, {})).count ?? 0;
    },
    async findMissing({ type, refs }) {
      const there = await content.getMany(refs, {});
      return refs.filter((ref) => there.get(ref.toLowerCase())?._type !== type);
    },
    async batch({ operations }) {
      const outcomes = await content.batch(
        { operations: operations.map(toRequest), atomic: false, references: 'deferred' },
        {},
      );
      return { kind: 'answered', results: outcomes.map(toResult) };
    },
    close,
  };
}

function toRequest({ action, by, asset }: Operation): BatchOperation {
  return action === 'create' ? { action, asset } : { action, by, asset };
}

function toResult(outcome: OperationOutcome): OperationResult {
  if (outcome.kind === 'refused') return { outcome: 'refused', refusal: toRefusal(outcome.error) };
  const { made, id: _id, unresolved } = outcome;
  // No operation here deletes.
  if (made === 'deleted') throw new Error(`${_id} was deleted`);
  return {
    outcome: made,
    _id,
    unresolved: unresolved.map(({ path, reference }) => ({ path, ...reference })),
  };
}
