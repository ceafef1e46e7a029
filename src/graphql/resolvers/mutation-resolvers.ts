/**
 * Resolves `Mutation`: writes through the content service of all types, and returns the fields that the endpoint reads.
 *
 * An ID of another type counts as not found, so that a mutation neither reveals nor changes assets of hidden types.
 */

import type { GraphQLResolveInfo } from 'graphql';
import { toBareObject } from '../../base/own-members.ts';
import type { WrittenAsset } from '../../content/prepare-write.ts';
import type { AssetWriter } from '../../content/write-asset.ts';
import type {
  Asset,
  Catalog,
  ContentType,
  EmbeddedType,
  Field,
  Json,
  JsonObject,
} from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { createName, deleteName, updateName } from '../schema/root-names.ts';
import { kindMemberOf } from '../schema/value-types.ts';
import { getOfType, type ReadContent, unlessNotFound } from './query-resolvers.ts';
import type {
  CreateResolver,
  DeleteResolver,
  Resolver,
  TypeResolvers,
  UpdateResolver,
} from './resolver-types.ts';
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

/** Converts one input to a body; members that are not fields, such as `_id`, stay as they are. */
type InputReader = (input: JsonObject) => JsonObject;

/** Returns a function that creates the reader of given fields. Its readers share those of embedded types. */
function createInputReaders(): (fields: ReadonlyMap<string, Field>) => InputReader {
  const embedded = new Map<EmbeddedType, InputReader>();

  function readerOf(fields: ReadonlyMap<string, Field>): InputReader {
    const members = new Map(
      [...fields.values()].map((field) => [
        field.graphqlName,
        { name: field.name, read: withNullsAndLists(valueReaderOf(field)) },
      ]),
    );
    return (input) =>
      toBareObject(
        Object.entries(input).map(([key, value]) => {
          const member = members.get(key);
          return member ? [member.name, member.read(value)] : [key, value];
        }),
      );
  }

  function valueReaderOf({ type }: Field): InputReader | undefined {
    switch (type.kind) {
      case 'scalar':
      case 'enum':
        return undefined;
      case 'reference':
        return completeReference(type.targets);
      case 'embedded':
        // Created at first use, since a type may contain itself.
        return (value) => embeddedReader(type.type)(value);
    }
  }

  function embeddedReader(type: EmbeddedType): InputReader {
    const reader = embedded.get(type) ?? (type.kinds ? blockReader(type.kinds) : readerOf(type.fields));
    embedded.set(type, reader);
    return reader;
  }

  /** Reads a block, which is the only member of its input, by the name of its kind. */
  function blockReader(kinds: ReadonlyMap<string, EmbeddedType>): InputReader {
    const readers = new Map([...kinds.values()].map((kind) => [kindMemberOf(kind), kind] as const));
    return (input) => {
      const [[member, value] = ['', null]] = Object.entries(input);
      const kind = readers.get(member);
      return kind && isJsonObject(value) ? { _type: kind.name, ...embeddedReader(kind)(value) } : input;
    };
  }

  return readerOf;
}

/** Adds the type to a reference that does not name it, where the field has one target only. */
function completeReference([target, ...others]: readonly string[]): InputReader | undefined {
  if (target === undefined || others.length > 0) return undefined;
  return (reference) => ({ ...reference, _type: reference._type ?? target });
}

function withNullsAndLists(read: InputReader | undefined): (value: Json) => Json {
  if (!read) return (value) => value;
  const readOne = (value: Json) => (isJsonObject(value) ? read(value) : value);
  return (value) => (Array.isArray(value) ? value.map(readOne) : readOne(value));
}
