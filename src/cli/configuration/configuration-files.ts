/**
 * The folder of a configuration: one YAML file for each record, in a folder for each kind, and the queries of mappings beside the files
 * of REST endpoints.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import type { Environment } from '../../app/config/config.ts';
import { transferFailed } from '../../base/errors.ts';
import type { ConfigurationLists } from '../../mapping/configuration/configurations.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** The folders of the kinds, with the list of the configuration, its kind in results, and the member that is the key. */
export const kinds = [
  { folder: 'graphql-endpoints', list: 'graphqlEndpoints', kind: 'graphqlEndpoint', key: 'name' },
  { folder: 'rest-endpoints', list: 'restEndpoints', kind: 'restEndpoint', key: 'name' },
  { folder: 'webhooks', list: 'webhooks', kind: 'webhook', key: 'name' },
  { folder: 'api-clients', list: 'apiClients', kind: 'apiClient', key: 'clientId' },
] as const;

/** A kind of records. */
export type FolderKind = (typeof kinds)[number];

/** What is wrong in a file. Lines and columns count from 1. */
export interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly message: string;
}

/** A file of one record. Paths are relative to the folder, with `/`. */
export interface ConfigurationFile {
  readonly kind: FolderKind;
  readonly path: string;
  readonly key: string;
  /** As it is written: with variables, and with `queryFile` in mappings. */
  readonly written: JsonObject;
  /** As it is sent. */
  readonly definition: JsonObject;
  /** The file of the query of each mapping, by its position. */
  readonly queryFiles: ReadonlyMap<number, string>;
  /** Finds the line of a member, or of the nearest one above it. */
  lineOf(path: readonly (string | number)[]): number;
}

export interface ConfigurationFolder {
  readonly files: readonly ConfigurationFile[];
  readonly problems: readonly FileProblem[];
}

/**
 * Reads a folder; one that does not exist has no files. Variables of secret headers need no value to compare files with an installation,
 * which does not show such values.
 */
export function readConfigurationFolder(
  folder: string,
  { environment, needsSecrets }: { environment: Environment; needsSecrets: boolean },
): ConfigurationFolder {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw transferFailed(`${folder} is no folder`);
  const problems: FileProblem[] = [];
  const paths = globSync('**/*.{yaml,yml}', { cwd: folder, exclude: (name) => name === 'node_modules' })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
  const files = paths.flatMap((path) => {
    const kind = kinds.find((one) => posix.dirname(path) === one.folder);
    if (kind && path.endsWith('.yaml'))
      return readFile({ folder, path, kind, environment, needsSecrets, problems });
    const places = kinds.map((one) => `${one.folder}/<name>.yaml`).join(', ');
    problems.push({ file: path, line: 1, message: `is in no place for a record; these are ${places}` });
    return [];
  });
  for (const [index, file] of files.entries()) {
    const { kind, path, key } = file;
    const first = files.slice(0, index).find((one) => one.kind === kind && one.key === key);
    if (!first) continue;
    const message = `${kind.key} is also that of ${first.path}`;
    problems.push({ file: path, line: file.lineOf([kind.key]), message });
  }
  return { files, problems };
}

/** Sorts the definitions of files by kind, in the order of the files. */
export function toLists(files: readonly ConfigurationFile[]): ConfigurationLists {
  const lists = kinds.map(({ list }) => [
    list,
    files.filter(({ kind }) => kind.list === list).map(({ definition }) => definition),
  ]);
  // The receiver validates it.
  return Object.fromEntries(lists) as ConfigurationLists;
}

function readFile({
  folder,
  path,
  kind,
  environment,
  needsSecrets,
  problems,
}: {
  folder: string;
  path: string;
  kind: FolderKind;
  environment: Environment;
  needsSecrets: boolean;
  problems: FileProblem[];
}): ConfigurationFile[] {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(join(folder, path), 'utf8'), { lineCounter: lines });
  const found: FileProblem[] = document.errors.map(({ message, linePos }) => ({
    file: path,
    line: linePos?.[0].line ?? 1,
    column: linePos?.[0].col ?? 1,
    message: message.split('\n')[0]?.replace(/ at line \d+, column \d+:$/, '') ?? message,
  }));
  const lineOf: ConfigurationFile['lineOf'] = (at) => {
    for (let length = at.length; length > 0; length--) {
      const node: unknown = document.getIn(at.slice(0, length), true);
      const start: unknown = Object(node).range?.[0];
      if (typeof start === 'number') return lines.linePos(start).line;
    }
    return 1;
  };
  const refuse = (at: readonly (string | number)[], message: string) =>
    found.push({ file: path, line: lineOf(at), message });
  let written: JsonObject | undefined;
  if (found.length === 0) {
    const value = toValue(document);
    if (isJsonObject(value)) written = value;
    else refuse([], 'must have the members of a record, and not many aliases');
  }
  problems.push(...found);
  if (!written) return [];
  for (const { at, message } of findVariableProblems(written, environment))
    if (needsSecrets || at[1] !== 'secretHeaders') refuse(at, message);
  const filled = fillVariables(written, environment);
  const queryFiles = new Map<number, string>();
  const definition = kind.list === 'restEndpoints' ? readQueries() : filled;
  const key = definition[kind.key];
  if (key === undefined) refuse([], `${kind.key} is required`);
  else if (typeof key !== 'string')
    refuse([kind.key], `${kind.key} must be a text, in quotes where it looks like another value`);
  problems.push(...found.filter((problem) => !problems.includes(problem)));
  return [{ kind, path, key: String(key), written, definition, queryFiles, lineOf }];

  /** Replaces the member `queryFile` of mappings by the text of the file. */
  function readQueries(): JsonObject {
    if (!Array.isArray(filled.mappings)) return filled;
    const mappings = filled.mappings.map((mapping, index) => {
      if (!isJsonObject(mapping) || mapping.queryFile === undefined) return mapping;
      const { queryFile, ...others } = mapping;
      const at = ['mappings', index, 'queryFile'];
      const name = posix.join(kind.folder, String(queryFile));
      if (others.query !== undefined) refuse(at, 'queryFile must not be given beside query');
      else if (typeof queryFile !== 'string' || posix.isAbsolute(queryFile) || name.startsWith('..'))
        refuse(at, 'queryFile must be a path within the folder of the configuration');
      else if (!existsSync(join(folder, name))) refuse(at, `there is no file ${name}`);
      else {
        queryFiles.set(index, name);
        return { ...others, query: readFileSync(join(folder, name), 'utf8').replace(/\n$/, '') };
      }
      return { ...others, query: 'query unread { __typename }' };
    });
    return { ...filled, mappings };
  }
}

/** Returns the value of a document, or nothing when its aliases repeat too much. */
function toValue(document: ReturnType<typeof parseDocument>): Json | undefined {
  try {
    // Through JSON, so that a value that JSON does not have is a text or null.
    return JSON.parse(JSON.stringify(document.toJS() ?? null)) as Json;
  } catch {
    return undefined;
  }
}

/** Finds the place in the files that a problem of the whole configuration is about. */
export function locateProblem(
  files: readonly ConfigurationFile[],
  problem: {
    readonly path: string;
    readonly message: string;
    readonly line?: number;
    readonly column?: number;
  },
): FileProblem | undefined {
  const [list = '', position, ...members] = problem.path.split(/[.[\]]+/).filter((part) => part !== '');
  const file = files.filter(({ kind }) => kind.list === list)[Number(position)];
  if (!file) return undefined;
  const at = members.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const queryFile =
    at[0] === 'mappings' && at[2] === 'query' ? file.queryFiles.get(Number(at[1])) : undefined;
  const { line = 1, column } = problem;
  const message = `${problem.path.replace(/^\w+\[\d+\]\.?/, '')} ${problem.message}`.trim();
  if (queryFile !== undefined)
    return { file: queryFile, line, message, ...(column === undefined ? {} : { column }) };
  return { file: file.path, line: file.lineOf(at), message };
}

/** A `$${`, or a variable with its name; other `${` are mistakes. */
const pattern = /\$\$\{|\$\{([^}]*)\}?/g;

/** Finds variables that are not set, and mistakes, each with the path of its text. */
function findVariableProblems(
  value: Json,
  environment: Environment,
  at: readonly (string | number)[] = [],
): { at: readonly (string | number)[]; message: string }[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => findVariableProblems(item, environment, [...at, index]));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, member]) =>
      findVariableProblems(member, environment, [...at, name]),
    );
  if (typeof value !== 'string') return [];
  return [...value.matchAll(pattern)].flatMap(([written, name]) => {
    if (name === undefined) return [];
    if (!/^[A-Za-z_]\w*$/.test(name) || !written.endsWith('}'))
      return [
        {
          at,
          message: `${written} is not a variable, which is written \${NAME}; write $\${ for the characters \${`,
        },
      ];
    return environment[name] === undefined ? [{ at, message: `the variable ${name} is not set` }] : [];
  });
}

/** Replaces the variables of all texts. */
function fillVariables(value: JsonObject, environment: Environment): JsonObject {
  // An object becomes an object.
  return mapTexts(value, (text) =>
    text.replaceAll(pattern, (_, name: string | undefined) =>
      name === undefined ? '${' : (environment[name] ?? ''),
    ),
  ) as JsonObject;
}

/** Writes a text so that it has no variables. */
export const escapeVariables = (text: string) => text.replaceAll('${', () => '$${');

/** Copies a value with other texts. */
export function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, map)]));
}
