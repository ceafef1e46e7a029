/**
 * Loads the written types as the server does, with the SDL files that come with it, of which the published package has a copy.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDomainError, type SourceProblem } from '../../../base/errors.ts';
import type { Catalog } from '../../../model/content-type.ts';
import { loadTypes } from '../../../model/load-types.ts';
import { suppliedFiles } from '../../../model/types/supplied-files.ts';
import type { WrittenType } from '../../reader.ts';
import { printTypes } from '../print-types.ts';

/** The name of the file with the written types. */
const ownFile = 'content.graphql';

/** What a problem of the types is about: a type, or one of its fields. */
export interface TypeProblem {
  readonly type: string;
  /** As it is written in SDL. */
  readonly field?: string | undefined;
  readonly message: string;
}

/** The catalog of the types, or why the server refuses them. */
export type Loaded = { readonly catalog: Catalog } | { readonly problems: readonly TypeProblem[] };

/** Loads types. */
export function loadCatalog(types: readonly WrittenType[]): Loaded {
  const text = printTypes(types);
  try {
    return { catalog: loadTypes([...readSupplied(), { file: ownFile, text }]) };
  } catch (error) {
    if (!isDomainError(error, 'bad_types')) throw error;
    const lines = text.split('\n');
    return { problems: error.details.problems.map((problem) => locate(problem, lines)) };
  }
}

function readSupplied() {
  const [folder = ''] = ['graphql', '../../../../graphql']
    .map((path) => join(import.meta.dirname, path))
    .filter(existsSync);
  return suppliedFiles.map((file) => ({
    file,
    text: readFileSync(join(folder, file), 'utf8'),
    supplied: true,
  }));
}

/** Finds the type and the field at a line; a problem of a field may be at the line of its description. */
function locate({ file, line, message }: SourceProblem, lines: readonly string[]): TypeProblem {
  if (file !== ownFile) return { type: '', message };
  const typeIn = (text: string | undefined) => /^(?:type|union|enum) (\w+)/.exec(text ?? '')?.[1];
  const isWithin = lines[line - 1]?.startsWith('  ') === true;
  const after = lines.slice(line - 1);
  if (!isWithin) return { type: after.map(typeIn).find(Boolean) ?? '', message };
  const type = lines.slice(0, line).map(typeIn).findLast(Boolean) ?? '';
  const field = after.map((text) => /^ {2}(\w+)/.exec(text)?.[1]).find(Boolean);
  return { type, field, message };
}
