/**
 * Resolves `Mutation`: writes through the content service of all types, and returns the fields that the endpoint reads.
 *
 * An ID of another type counts as not found, so that a mutation neither reveals nor changes assets of hidden types.
 */
import type { GraphQLResolveInfo } from 'graphql';
import type { AssetWriter } from '../../content/write-asset.ts';
import type { WrittenAsset } from '../../content/written-asset.ts';
import type { Asset, Catalog, ContentType } from '../../model/content-type.ts';
import { createName, deleteName, updateName } from '../schema/root-names.ts';
import { getOfType, type ReadContent, unlessNotFound } from './query-resolvers.ts';
import { createInputReaders, type InputReader } from './read-input.ts';
import type { Resolver, TypeResolvers } from './resolver-map.ts';
import type { CreateResolver, DeleteResolver, UpdateResolver } from './resolver-types.ts';
import type { RunContext } from './run-context.ts';

/** The content service of all types, for writing. */
export interface WriteContent extends AssetWriter {
  readonly catalog: Catalog;
}

/** The content that a mutation reads and writes. */
interface Content {
  readonly reads: ReadContent;
  readonly writes: WriteContent;
}

/** Creates the resolvers of `Mutation`; `types` are the writable content types with all their fields. */
export function createMutationResolvers(types: readonly ContentType[], content: Content): TypeResolvers {
  const readerOf = createInputReaders();
  return new Map<string, Resolver>(
    types.flatMap((type) => {
      const read = readerOf(type.fields);
      return [
        [createName(type), resolveCreate(type, read, content)],
        [updateName(type), resolveUpdate(type, read, content)],
        [deleteName(type), resolveDelete(type, content)],
      ] as const;
    }),
  );
}

function resolveCreate(
  { class: className }: ContentType,
  read: InputReader,
  { writes }: Content,
): CreateResolver {
  return async (_, { input }, context, { path }) => {
    const { caller, reserved } = context;
    const written = await writes.create({ ...read(input), _type: className }, caller, reserved);
    return answerWritten(written, context, path);
  };
}

function resolveUpdate(type: ContentType, read: InputReader, { reads, writes }: Content): UpdateResolver {
  return async (_, { _id: id, input }, context, { path }) => {
    const { caller, reserved } = context;
    await getOfType(reads, { type, id, caller });
    const written = await writes.update({ id, body: read(input) }, caller, reserved);
    return answerWritten(written, context, path);
  };
}

/** Answers with a written asset. It stays written even when the response has no room for it. Errors: answer_too_large. */
function answerWritten(
  { asset, change }: WrittenAsset,
  { budget, targets, changes }: RunContext,
  path: GraphQLResolveInfo['path'],
): Asset {
  targets.forget();
  if (change !== undefined) changes.push(change);
  budget.noteWrite(path.key);
  return budget.keep(asset);
}

function resolveDelete({ class: type }: ContentType, { writes }: Content): DeleteResolver {
  return async (_, { _id: id }, { caller, targets, budget, changes, reserved }, { path }) => {
    const remove = async () => {
      const { change } = await writes.delete({ id, type }, caller, reserved);
      if (change !== undefined) changes.push(change);
      budget.noteWrite(path.key);
      return true;
    };
    const isDeleted = await unlessNotFound(remove(), false);
    targets.forget();
    return isDeleted;
  };
}
