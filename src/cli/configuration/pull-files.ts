/**
 * Writes a configuration to files. A file that agrees with the installation stays as it is, with its comments, and what agrees in a file
 * that is written again keeps its variables.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import type * as api from '../../../generated/server/admin.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { createNamer } from '../../text/free-name.ts';
import { toPathName } from '../../text/path-name.ts';
import { type ConfigurationFile, escapeVariables, kinds, mapTexts } from './configuration-files.ts';

/** The paths that were written and removed, relative to the folder. */
export interface PulledFiles {
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** Writes the records of a configuration; `isUnchanged` tells whether a file agrees with its record. */
export function writeConfiguration(
  folder: string,
  {
    configuration,
    files,
    isUnchanged,
  }: {
    configuration: api.InstallationConfiguration;
    files: readonly ConfigurationFile[];
    isUnchanged: (file: ConfigurationFile) => boolean;
  },
): PulledFiles {
  const outputs = new Map<string, string>();
  const kept = new Set<string>();
  for (const kind of kinds) {
    const own = files.filter((file) => file.kind === kind);
    const nameFile = createNamer({ taken: own.map(({ path }) => posix.basename(path, '.yaml')) });
    // The lists have the JSON of the schemas.
    for (const definition of configuration[kind.list] as unknown as readonly JsonObject[]) {
      const key = String(definition[kind.key]);
      const file = own.find((one) => one.key === key);
      const path = file?.path ?? `${kind.folder}/${nameFile(toPathName(key) || 'record')}.yaml`;
      if (file && isUnchanged(file)) {
        for (const one of [path, ...file.queryFiles.values()]) kept.add(one);
        continue;
      }
      for (const [name, text] of toFiles(definition, { path, file })) outputs.set(name, text);
    }
  }
  for (const [path, text] of outputs) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // Renamed, so that an interruption leaves no half of a file.
    const partial = join(folder, `${path}.partial`);
    writeFileSync(partial, text);
    renameSync(partial, join(folder, path));
  }
  const former = files.flatMap(({ path, queryFiles }) => [path, ...queryFiles.values()]);
  const removed = [...new Set(former)].filter((path) => !outputs.has(path) && !kept.has(path));
  for (const path of removed) rmSync(join(folder, path), { force: true });
  return { written: [...outputs.keys()], removed };
}

/** Returns the texts of the files of one record, by path. */
function toFiles(
  definition: JsonObject,
  { path, file }: { path: string; file: ConfigurationFile | undefined },
): [path: string, text: string][] {
  const queries: [string, string][] = [];
  const [folder, stem] = [posix.dirname(path), posix.basename(path, '.yaml')];
  const nameQuery = createNamer({
    taken: [...(file?.queryFiles.values() ?? [])].map((one) => posix.basename(one, '.graphql')),
  });
  const withFiles = (mapping: Json): Json => {
    if (!isJsonObject(mapping)) return mapping;
    const { query, ...others } = mapping;
    const former = mappingsOf(file).findIndex((one) => Object(one).name === mapping.name);
    const fresh = () => `${folder}/${stem}/${nameQuery(toPathName(String(mapping.name)) || 'query')}.graphql`;
    const queryPath = file?.queryFiles.get(former) ?? fresh();
    queries.push([queryPath, `${String(query)}\n`]);
    const queryFile = posix.relative(folder, queryPath);
    return { ...others, queryFile };
  };
  const { mappings } = definition;
  const escaped = mapTexts(
    { ...definition, ...(Array.isArray(mappings) ? { mappings: mappings.map(withFiles) } : {}) },
    escapeVariables,
  );
  const written = keepWritten(escaped, file?.written, file && { ...file.definition });
  return [[path, stringify(nameSecrets(written, stem), { lineWidth: 0 })], ...queries];
}

function mappingsOf(file: ConfigurationFile | undefined): readonly Json[] {
  const mappings = file?.definition.mappings;
  return Array.isArray(mappings) ? mappings : [];
}

/** Returns a value as the file has it, where what the file stands for is the same. */
function keepWritten(value: Json, written: Json | undefined, stands: Json | undefined): Json {
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, member]): [string, Json] => {
      const [one, other] = [Object(written)[name], Object(stands)[name]];
      // The values of secret headers are never read.
      if (member === '' && typeof one === 'string') return [name, one];
      return [name, keepWritten(member, one, other)];
    });
    return Object.fromEntries(members);
  }
  if (Array.isArray(value)) {
    const placeOf = (item: Json, index: number) =>
      isJsonObject(item) && Array.isArray(stands)
        ? stands.findIndex((one) => Object(one).name === item.name)
        : index;
    return value.map((item, index) => {
      const place = placeOf(item, index);
      return keepWritten(item, Object(written)[place], Object(stands)[place]);
    });
  }
  return written !== undefined && isDeepStrictEqual(mapTexts(stands ?? null, escapeVariables), value)
    ? written
    : value;
}

/** Gives secret headers whose values no file has the names of variables. */
function nameSecrets(written: Json, stem: string): Json {
  const headers = Object(Object(written).purge).secretHeaders;
  if (!isJsonObject(headers) || !isJsonObject(written)) return written;
  const toVariable = (header: string) => `\${${`${stem}_${header}`.toUpperCase().replace(/\W+/g, '_')}}`;
  const secretHeaders = Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [header, value === '' ? toVariable(header) : value]),
  );
  return { ...written, purge: { ...Object(written.purge), secretHeaders } };
}
