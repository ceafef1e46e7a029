/**
 * Reads a source whose items are all of one type, which is guessed from them.
 */
import { basename } from 'node:path';
import { createFieldGuess } from '../guess/guess-fields.ts';
import type { ValueKind } from '../guess/value-kinds.ts';
import { idOf } from '../ids.ts';
import { createTypeNames, toTypeName } from '../names.ts';
import type { Report } from '../output/report.ts';
import type { Json, JsonObject, ReadAsset, ReaderSettings, Reading } from '../reader.ts';
import { SourceError, type SourceFile } from '../source/source.ts';

/** Fields that identify an item, in this order, if all items have different values in one of them. */
const idFields = ['_id', 'id', 'ID', 'uuid', 'key', 'slug'];

interface ItemSource {
  readonly system: string;
  /** Reads the items again from the beginning. What stands beside them is noted in the report. */
  items(report?: Report): AsyncIterable<JsonObject>;
  readonly kindOf?: (value: Json) => ValueKind;
}

/** Reads items. The name of the type is that of the file, unless the settings have one. */
export async function readItems(
  file: SourceFile,
  { classPrefix, type, names, id }: ReaderSettings,
  { system, items, kindOf }: ItemSource,
): Promise<Reading> {
  const typeNames = createTypeNames();
  const name = typeNames(type ?? toTypeName(basename(file).replace(/\.[^.]*$/, '')));
  const guess = createFieldGuess({ typeNames, names, owner: name, ...(kindOf && { reading: { kindOf } }) });
  const identity = createIdentity(id === undefined ? idFields : [id]);
  for await (const item of items()) {
    guess.add(item);
    identity.add(item);
  }
  const { fields, embedded, convert } = guess.decide();
  const idField = identity.find();
  if (id !== undefined && idField === undefined)
    throw new SourceError(`has items without a different ${id}, which was to identify them`);
  const className = `${classPrefix}.${name}`;
  return {
    types: [{ kind: 'object', name, class: className, fields }, ...embedded],
    async *assets(report): AsyncGenerator<ReadAsset> {
      let number = 0;
      for await (const item of items(report)) {
        number++;
        report.open({ kind: name, id: `item ${number}`, value: item });
        const key = idField === undefined ? `line ${number}` : String(item[idField]);
        yield { asset: { _id: idOf(system, name, key), _type: className, ...convert(item) } };
      }
    },
  };
}

/** Finds the first field that every item has with another value. The values are kept as hashes of 8 bytes. */
function createIdentity(names: readonly string[]) {
  let count = 0;
  const seen = new Map(names.map((name) => [name, new Set<bigint>()]));
  return {
    add(item: JsonObject): void {
      count++;
      for (const [name, values] of seen) {
        const value = item[name];
        const isKey = (typeof value === 'string' && value !== '') || typeof value === 'number';
        if (isKey) values.add(hashOf(String(value)));
        if (values.size < count) seen.delete(name);
      }
    },
    find: () => (count === 0 ? undefined : [...seen.keys()][0]),
  };
}

/** A hash of 64 bits (FNV-1a), by which two of a million values are the same with a probability of one in 10⁷. */
function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash;
}
