/**
 * Converts inputs by GraphQL names to bodies by JSON names, which the content service takes.
 */
import { toBareObject } from '../../base/own-members.ts';
import type { EmbeddedType, Field, Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { kindMemberOf } from '../schema/value-types.ts';

/** Converts one input to a body; members that are not fields, such as `_id`, stay as they are. */
export type InputReader = (input: JsonObject) => JsonObject;

/** Returns a function that creates the reader of given fields. Its readers share those of embedded types. */
export function createInputReaders(): (fields: ReadonlyMap<string, Field>) => InputReader {
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
