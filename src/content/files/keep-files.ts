/**
 * The writes of a store with the files that they name: completes values of the type `File` from the records of the files, and records
 * which assets use which files, before the asset is written.
 *
 * A recorded use says that an asset may name the file, in its value or its history. A write that fails afterwards leaves a use too
 * many, which `unused-files.ts` finds when it looks at the asset. So a file that an asset names is never deleted.
 */

import { type DomainError, invalidBody, missingFile, type Problem } from '../../base/errors.ts';
import type { IdSource } from '../../base/runtime.ts';
import type { Asset, Catalog, Json, JsonObject } from '../../model/content-type.ts';
import { createFileFinder, type FoundFile, findLinkedFiles } from '../../model/values/find-files.ts';
import { type AssetWrite, type ContentStore, idOfWrite, typeOfWrite } from '../../store/port.ts';
import type { WriteOptions } from '../../store/write-options.ts';
import { isShown, mediaTypeOf, unknownType } from '../../text/media-types.ts';
import { type FileRecord, fileRecordId, fileUseClass, fileUseId, toFileRecord } from './file-record.ts';

/** The parts that the writes need. */
interface FileKeeping {
  readonly catalog: Catalog;
  readonly ids: IdSource;
  /** Whether the writes are only checked: then no use is recorded. */
  readonly isTrial?: boolean;
  /** The store of the records of files and uses, where it is another one. */
  readonly records?: Pick<ContentStore, 'getMany' | 'write'>;
}

/** The files that one write names. */
interface NamedFiles {
  readonly values: readonly FoundFile[];
  /** Those of the values, and those that texts link to. */
  readonly hashes: ReadonlySet<string>;
}

type Refusals = ReadonlyMap<number, DomainError>;

/** Returns the store with writes that keep their files. Errors of writes, besides the store's: missing_file, invalid_body. */
export function keepFiles(
  store: ContentStore,
  { catalog, ids, isTrial = false, records = store }: FileKeeping,
): ContentStore {
  const findFiles = createFileFinder(catalog);

  /** Finds the files of a write; `undefined` for none. */
  function filesOf(write: AssetWrite): NamedFiles | undefined {
    if (write.kind === 'delete') return undefined;
    const fields: JsonObject = write.kind === 'insert' ? write.asset : write.set;
    const values = findFiles(typeOfWrite(write), fields);
    const hashes = new Set(values.map(({ file }) => String(file.hash)));
    findLinkedFiles(fields, hashes);
    return hashes.size > 0 ? { values, hashes } : undefined;
  }

  /** Completes the files of writes and records their uses. Returns the refused writes, by index. */
  async function prepare(writes: readonly AssetWrite[]): Promise<Refusals> {
    const named = writes.map(filesOf);
    if (named.every((files) => files === undefined)) return noRefusals;
    const present = await readRecords(writes, named);
    const refusals = new Map<number, DomainError>();
    const uses: FileUse[] = [];
    for (const [index, write] of writes.entries()) {
      const files = named[index];
      if (!files) continue;
      const refusal = completeFiles(files.values, present);
      if (refusal) refusals.set(index, refusal);
      else for (const hash of files.hashes) uses.push({ hash, asset: idOfWrite(write) });
    }
    if (isTrial || !(await recordUses(uses, present))) return refusals;
    // A file may have been deleted, or marked for it, before its use was recorded. Afterwards it is not.
    return prepare(writes);
  }

  /** Reads the records of all files that writes name, and of their uses. */
  async function readRecords(
    writes: readonly AssetWrite[],
    named: readonly (NamedFiles | undefined)[],
  ): Promise<ReadonlyMap<string, StoredRecord>> {
    const wanted = new Set<string>();
    for (const [index, write] of writes.entries()) {
      for (const hash of named[index]?.hashes ?? []) {
        wanted.add(fileRecordId(hash)).add(fileUseId(hash, idOfWrite(write)));
      }
    }
    const present = new Map<string, StoredRecord>();
    for (let rest: readonly string[] | undefined = [...wanted]; rest && rest.length > 0; ) {
      const read: Awaited<ReturnType<ContentStore['getMany']>> = await records.getMany(rest);
      for (const [id, stored] of read.found) present.set(id, stored);
      rest = read.rest;
    }
    return present;
  }

  /** Records the uses that are new, and removes the marks of files that were found unused. Returns whether it wrote something. */
  async function recordUses(
    uses: readonly FileUse[],
    present: ReadonlyMap<string, StoredRecord>,
  ): Promise<boolean> {
    const existing = uses.filter(({ hash }) => present.has(fileRecordId(hash)));
    const created = existing
      .filter(({ hash, asset }) => !present.has(fileUseId(hash, asset)))
      .map(({ hash, asset }) => ({
        kind: 'insert' as const,
        asset: { _id: fileUseId(hash, asset), _type: fileUseClass, hash, asset },
        version: ids.version(),
      }));
    const kept = [...new Set(existing.map(({ hash }) => fileRecordId(hash)))]
      .flatMap((id) => present.get(id) ?? [])
      .filter(({ asset }) => asset.unusedSince !== undefined)
      .map(({ asset: { _id: id, _type: type } }) => ({
        kind: 'patch' as const,
        id,
        type,
        set: {},
        unset: ['unusedSince'],
        version: ids.version(),
      }));
    if (created.length + kept.length === 0) return false;
    const outcomes = await records.write([...created, ...kept]);
    for (const outcome of outcomes) {
      // Another write may have recorded the same use.
      if (outcome.kind === 'failed' && outcome.error.code !== 'id_in_use') throw outcome.error;
    }
    return true;
  }

  async function assertKept(write: AssetWrite): Promise<void> {
    const [refusal] = (await prepare([write])).values();
    if (refusal) throw refusal;
  }

  async function write(writes: readonly AssetWrite[], options?: WriteOptions) {
    const refusals = await prepare(writes);
    if (refusals.size === 0) return store.write(writes, options);
    const sound = options?.atomic ? [] : writes.filter((_, index) => !refusals.has(index));
    const outcomes = sound.length > 0 ? [...(await store.write(sound, options))] : [];
    return writes.map((_, index) => {
      const error = refusals.get(index);
      return error
        ? ({ kind: 'failed', error } as const)
        : (outcomes.shift() ?? ({ kind: 'undone' } as const));
    });
  }

  return {
    ...store,
    write,
    async insert(stored, origin) {
      await assertKept({ kind: 'insert', ...stored });
      return store.insert(stored, origin);
    },
    async patch(patch, origin) {
      await assertKept({ kind: 'patch', ...patch });
      return store.patch(patch, origin);
    },
    texts: {
      ...store.texts,
      async patch(patch, origin) {
        await assertKept({ kind: 'patch', ...patch });
        return store.texts.patch(patch, origin);
      },
    },
  };
}

interface FileUse {
  readonly hash: string;
  readonly asset: string;
}

interface StoredRecord {
  readonly asset: Asset;
}

const noRefusals: Refusals = new Map();

/** Completes the values of one write in place; returns why the write is refused. */
function completeFiles(
  values: readonly FoundFile[],
  present: ReadonlyMap<string, StoredRecord>,
): DomainError | undefined {
  const problems: Problem[] = [];
  let isMissing = false;
  for (const value of values) {
    const stored = present.get(fileRecordId(String(value.file.hash)));
    const record: FileRecord | undefined = stored && toFileRecord(stored.asset);
    if (record) problems.push(...completeFile(value, record));
    else problems.push({ path: `${value.path}.hash`, message: 'names no file that was uploaded' });
    isMissing ||= !record;
  }
  if (problems.length === 0) return undefined;
  return isMissing ? missingFile(problems) : invalidBody(problems);
}

/** The members of a file that the record and the name decide. */
const known = ['mediaType', 'bytes', 'width', 'height'] as const;

/** Completes the value in place, and returns what is wrong with it. */
export function completeFile(
  { path, file, constraint: { accept, maxBytes } }: FoundFile,
  record: FileRecord,
): Problem[] {
  const expected = toNamed(file, record);
  const problems: Problem[] = known.flatMap((name) =>
    file[name] === undefined || file[name] === expected[name]
      ? []
      : [
          {
            path: `${path}.${name}`,
            message: `must be ${expected[name] ?? 'left out'}, as the uploaded file is`,
          },
        ],
  );
  if (accept && !accept.some((type) => isOfType(expected.mediaType, type)))
    problems.push({ path, message: `must be a file of ${accept.join(' or ')}, not ${expected.mediaType}` });
  if (maxBytes !== undefined && record.bytes > maxBytes)
    problems.push({ path, message: `must have at most ${maxBytes} bytes, not ${record.bytes}` });
  if (problems.length === 0) fill(file, expected);
  return problems;
}

/**
 * Returns the record as a value with its own name has it. Where the bytes do not tell the media type, it follows the name: then another one
 * that the value has from a former name is removed, unless only bytes can tell it.
 */
function toNamed(file: JsonObject, record: FileRecord): FileRecord {
  const name = typeof file.name === 'string' ? file.name : record.name;
  const { mediaType: given } = file;
  const isFollowing = record.mediaType === unknownType && typeof given === 'string' && !isShown(given);
  if (isFollowing) delete file.mediaType;
  return { ...record, name, mediaType: mediaTypeOf(record.mediaType, name) };
}

function fill(file: JsonObject, { hash, name, mediaType, bytes, width, height }: FileRecord): void {
  const whole: Record<string, Json | undefined> = { hash, name, mediaType, bytes, width, height, ...file };
  for (const member of Object.keys(file)) delete file[member];
  for (const [member, value] of Object.entries(whole)) if (value !== undefined) file[member] = value;
}

/** Tells whether a media type is one such as `image/png`, or of a kind such as `image/*`. */
const isOfType = (mediaType: string, type: string) =>
  type.endsWith('/*') ? mediaType.startsWith(type.slice(0, -1)) : mediaType === type;
