/**
 * Finds the files that values name: values of the type `File`, and links to `/files/<hash>` in texts.
 */
import { type Catalog, type Field, isFileType, type Json, type JsonObject, kindOf } from '../content-type.ts';
import { isJsonObject } from './findings.ts';

/** A value of the type `File` in an asset. */
export interface FoundFile {
  readonly path: string;
  /** The value itself, not a copy. */
  readonly file: JsonObject;
  readonly constraint: Field['constraint'];
}

/** Finds the values of the type `File` in some fields of a type, by its class name. */
export type FileFinder = (className: string, fields: JsonObject) => readonly FoundFile[];

type Fields = ReadonlyMap<string, Field>;

export function createFileFinder({ types }: Catalog): FileFinder {
  /** The fields of a type that may hold files, at any depth. Filled at first use, since a type may contain itself. */
  const holders = new Map<Fields, readonly Field[]>();

  function holdersOf(fields: Fields): readonly Field[] {
    const known = holders.get(fields);
    if (known) return known;
    holders.set(
      fields,
      [...fields.values()].filter((field) => mayHoldFiles(field, new Set())),
    );
    return holdersOf(fields);
  }

  function collect(input: JsonObject, fields: Fields, prefix: string, found: FoundFile[]): void {
    for (const field of holdersOf(fields)) {
      const value = input[field.name];
      if (value === undefined || field.type.kind !== 'embedded') continue;
      for (const [index, item] of field.list && Array.isArray(value)
        ? value.entries()
        : [[-1, value] as const]) {
        if (!isJsonObject(item)) continue;
        const path = index < 0 ? `${prefix}${field.name}` : `${prefix}${field.name}[${index}]`;
        if (isFileType(field.type.type)) found.push({ path, file: item, constraint: field.constraint });
        else collect(item, kindOf(field.type.type, item)?.fields ?? noFields, `${path}.`, found);
      }
    }
  }

  return (className, input) => {
    const found: FoundFile[] = [];
    collect(input, types.get(className)?.fields ?? noFields, '', found);
    return found;
  };
}

const noFields: Fields = new Map();

function mayHoldFiles({ type }: Field, seen: Set<string>): boolean {
  if (type.kind !== 'embedded') return false;
  if (isFileType(type.type)) return true;
  if (seen.has(type.type.name)) return false;
  seen.add(type.type.name);
  const kinds = type.type.kinds?.values() ?? [type.type];
  return [...kinds].some(({ fields }) => [...fields.values()].some((field) => mayHoldFiles(field, seen)));
}

/** A link to a file, such as `/files/9f86…/harbour.jpg`, of which the first group is the hash. */
const linkPattern = /\/files\/([0-9a-f]{64})(?![0-9a-f])/g;

/** Adds the hashes of all files that the texts in a value link to, at any depth. */
export function findLinkedFiles(value: Json, hashes: Set<string>): void {
  if (typeof value === 'string') {
    if (!value.includes('/files/')) return;
    for (const [, hash] of value.matchAll(linkPattern)) if (hash !== undefined) hashes.add(hash);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Array.isArray(value) ? value : Object.values(value)) findLinkedFiles(item, hashes);
  }
}
