/**
 * Reads the path of the page that shows the assets of a type: `@preview`.
 */
import type { GraphQLNamedType } from 'graphql';
import type { SourceProblem } from '../../base/errors.ts';
import { suggest } from '../../text/suggest.ts';
import type { ContentType, Field, ScalarName } from '../content-type.ts';
import { problemAt } from './parse-types.ts';
import { findDirectives } from './read-directives.ts';
import type { Composite, SchemaReading } from './schema-reading.ts';

const fixedSegment = /^[A-Za-z0-9._~-]+$/;
const fieldSegment = /^\{([^{}]+)\}$/;
const shown: readonly ScalarName[] = ['String', 'ID', 'Int', 'Date'];

/** Reads the path of a type that has one. Problems are recorded in the reading. */
export function readPreviewPath(
  { directives, problems }: SchemaReading,
  { name: owner, astNode }: Composite,
  fields: ReadonlyMap<string, Field>,
): Pick<ContentType, 'previewPath'> {
  const path = directives.read(astNode, 'preview')?.path;
  if (typeof path !== 'string') return {};
  const found = checkPath(path, fields);
  const [node] = findDirectives(astNode, 'preview');
  problems.push(...found.map((message) => problemAt(node, `${owner}: @preview ${message}`)));
  return { previewPath: path };
}

/** Lists the JSON names in a path, in order. */
const fieldsInPath = (path: string): readonly string[] =>
  path.split('/').flatMap((segment) => fieldSegment.exec(segment)?.[1] ?? []);

function checkPath(path: string, fields: ReadonlyMap<string, Field>): string[] {
  const [first, ...segments] = path.replace(/(?<=.)\/$/, '').split('/');
  if (first !== '' || segments.length === 0)
    return [`has the path ${JSON.stringify(path)}, which must begin with /`];
  if (path === '/') return [];
  const wrong = segments.find(
    (one) => !fieldSegment.test(one) && (!fixedSegment.test(one) || one === '.' || one === '..'),
  );
  if (wrong !== undefined)
    return [
      `has the segment ${JSON.stringify(wrong)}: a segment is a field such as {slug}, or letters, digits, "-", ".", "_" and "~"`,
    ];
  return fieldsInPath(path).flatMap((name) => checkField(name, fields));
}

function checkField(name: string, fields: ReadonlyMap<string, Field>): string[] {
  if (name === '_id') return [];
  const field = fields.get(name);
  if (!field) return [`names ${name}, which the type lacks${suggest([name], fields.keys())}`];
  const { type, list } = field;
  const isShown = type.kind === 'enum' || (type.kind === 'scalar' && shown.includes(type.scalar));
  return isShown && !list ? [] : [`names ${name}, which is not one ${shown.join(', ')} or enum`];
}

/** Finds types that are no content types and have a path. */
export function findMisplacedPreviews(
  classes: SchemaReading['classes'],
  named: readonly GraphQLNamedType[],
): SourceProblem[] {
  return named
    .filter(({ name }) => !classes.has(name))
    .flatMap(({ name, astNode }) =>
      findDirectives(astNode, 'preview').map((node) =>
        problemAt(node, `${name}: @preview is for types with @contentType`),
      ),
    );
}
