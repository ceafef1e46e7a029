/**
 * Parses SDL into a valid GraphQL schema: the part of loading that GraphQL's own rules cover.
 *
 * Content types are completed here: `implements Content` and its fields are added where they are not written. What the
 * types mean to Colophon is read in `load-types.ts`. Problems are collected, so that one run shows all of them.
 */

import {
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getLocation,
  getNamedType,
  type InterfaceTypeDefinitionNode,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  Lexer,
  type NamedTypeNode,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  Source,
  syntaxError,
  TokenKind,
  validateSchema,
} from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';
import { badTypes, type SourceProblem } from '../base/errors.ts';
import { type ScalarName, scalarNames } from '../model/content-type.ts';
import { maxJsonDepth } from '../model/values/parse-json.ts';
import { suggest } from '../text/suggest.ts';
import type { TypeSource } from './type-sources.ts';

type Composite = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode;

/** A node with its position in the sources, for problems that are found later. */
export type LocatedNode = { readonly loc?: { readonly start: number; readonly source: Source } | undefined };

/** How to read SDL sources. */
export interface ParseOptions {
  /** Whether the sources are known to be valid by GraphQL's rules, as Colophon's own are. */
  readonly isValid?: boolean;
}

/**
 * Parses, completes and validates SDL sources.
 *
 * Errors: bad_types, with every syntax or validation problem by file, line and column.
 */
export function parseTypes(
  sources: readonly TypeSource[],
  { isValid = false }: ParseOptions = {},
): GraphQLSchema {
  const problems: SourceProblem[] = [];
  const supplied = parseAll(
    sources.filter((source) => source.supplied),
    problems,
  );
  const own = parseAll(
    sources.filter((source) => !source.supplied),
    problems,
  );
  if (problems.length > 0) throw badTypes(problems);

  const definitions = mergeDefinitions(supplied, own, problems);
  problems.push(...definitions.flatMap(findMisplacedDefinition));
  if (problems.length > 0) throw badTypes(problems);

  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: completeContentTypes(definitions) };
  if (!isValid) failOn(validateSDL(document), document);
  const schema = buildASTSchema(withQuery(document), { assumeValidSDL: true });
  if (!isValid) failOn(validateSchema(schema));
  return schema;
}

/** Makes a problem of a message about a node of the sources. */
export function problemAt(node: LocatedNode | null | undefined, message: string): SourceProblem {
  const loc = node?.loc;
  if (!loc) return { file: 'graphql', line: 1, column: 1, message };
  const { line, column } = getLocation(loc.source, loc.start);
  return { file: loc.source.name, line, column, message };
}

function parseAll(sources: readonly TypeSource[], problems: SourceProblem[]): DefinitionNode[] {
  return sources.flatMap(({ file, text }) => {
    if (text.replace(/#.*/g, '').trim() === '') return [];
    try {
      const source = new Source(text, file);
      assertBracketNesting(source);
      return parse(source).definitions;
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      problems.push(...toProblems([error]));
      return [];
    }
  });
}

/** Merges the folder's definitions with the supplied ones that it does not repeat. Only `Site` may differ from the supplied one. */
function mergeDefinitions(
  supplied: readonly DefinitionNode[],
  own: readonly DefinitionNode[],
  problems: SourceProblem[],
): DefinitionNode[] {
  const ownByName = new Map(own.map((definition) => [nameOf(definition), definition]));
  const kept = supplied.filter((definition) => {
    const name = nameOf(definition);
    const written = ownByName.get(name);
    if (written && name !== 'type Site' && print(written) !== print(definition)) {
      problems.push(
        problemAt(written, `${name} is supplied by Colophon and cannot be defined in another way`),
      );
    }
    return written === undefined;
  });
  return [...kept, ...own];
}

function nameOf(definition: DefinitionNode): string {
  const name = 'name' in definition ? (definition.name?.value ?? '') : '';
  return definition.kind === Kind.DIRECTIVE_DEFINITION ? `directive @${name}` : `type ${name}`;
}

const rootTypes = ['Query', 'Mutation', 'Subscription'];

function findMisplacedDefinition(definition: DefinitionNode): SourceProblem[] {
  const refuse = (reason: string) => [problemAt(definition, reason)];
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
      return rootTypes.includes(definition.name.value)
        ? refuse(`${definition.name.value} is made by Colophon from the content types`)
        : [];
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.UNION_TYPE_DEFINITION:
    case Kind.ENUM_TYPE_DEFINITION:
    case Kind.SCALAR_TYPE_DEFINITION:
    case Kind.DIRECTIVE_DEFINITION:
      return [];
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return refuse('input types are made by Colophon from the content types');
    case Kind.SCHEMA_DEFINITION:
      return refuse('a schema definition has no place among content types');
    case Kind.OPERATION_DEFINITION:
    case Kind.FRAGMENT_DEFINITION:
      return refuse('a query has no place among content types');
    default:
      return refuse('an extension has no place here: write it in the definition itself');
  }
}

/** Adds `implements Content` and the fields of `Content` to everything that has `@contentType`. */
function completeContentTypes(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const content = definitions.find(
    (definition) => definition.kind === Kind.INTERFACE_TYPE_DEFINITION && definition.name.value === 'Content',
  );
  const fields = content && 'fields' in content ? (content.fields as readonly FieldDefinitionNode[]) : [];
  return definitions.map((definition) =>
    isComposite(definition) && definition.directives?.some(({ name }) => name.value === 'contentType')
      ? completeContentType(definition, fields)
      : definition,
  );
}

function isComposite(definition: DefinitionNode): definition is Composite {
  return (
    definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION
  );
}

function completeContentType(type: Composite, contentFields: readonly FieldDefinitionNode[]): Composite {
  const interfaces = type.interfaces ?? [];
  const written = type.fields ?? [];
  // A repeated field counts as the one it repeats, directives included; another type stays, for GraphQL to refuse.
  const kept = written.filter((field) => {
    const original = contentFields.find(({ name }) => name.value === field.name.value);
    return original === undefined || print(original.type) !== print(field.type);
  });
  const missing = contentFields.filter((field) => !kept.some(({ name }) => name.value === field.name.value));
  const isMember = ({ name }: FieldDefinitionNode) => name.value.startsWith('_');
  return {
    ...type,
    interfaces: interfaces.some(({ name }) => name.value === 'Content')
      ? interfaces
      : [...interfaces, contentName],
    fields: [...missing.filter(isMember), ...kept, ...missing.filter((field) => !isMember(field))],
  };
}

const contentName: NamedTypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'Content' } };

/** Adds a placeholder query type, which GraphQL requires; `graphql/` builds the real one. */
function withQuery(document: DocumentNode): DocumentNode {
  const [query] = parse('type Query { _: Boolean }', { noLocation: true }).definitions;
  return query ? { ...document, definitions: [...document.definitions, query] } : document;
}

function failOn(errors: readonly GraphQLError[], document?: DocumentNode): void {
  if (errors.length === 0) return;
  const problems = toProblems(errors);
  throw badTypes(document ? problems.map((problem) => withTypeHint(problem, document)) : problems);
}

/** What each scalar is called in other systems. */
const namesElsewhere: Readonly<Record<ScalarName, readonly string[]>> = {
  String: ['text', 'char', 'varchar', 'uuid'],
  Int: ['integer', 'number', 'long', 'short'],
  Float: ['double', 'real'],
  Boolean: [],
  ID: [],
  EpochMillis: [],
  Date: ['day', 'localdate'],
  DateTime: ['time', 'timestamp', 'instant'],
  Decimal: ['money', 'numeric', 'bigdecimal'],
  RichText: ['html', 'markdown'],
  Url: ['uri', 'link'],
  JSON: ['any', 'object', 'map'],
};

const scalarByOtherName: ReadonlyMap<string, string> = new Map(
  Object.entries(namesElsewhere).flatMap(([scalar, names]) => [
    [scalar.toLowerCase(), scalar] as const,
    ...names.map((name) => [name, scalar] as const),
  ]),
);

/** Replaces what GraphQL suggests for an unknown type, which can be far from what was meant. */
function withTypeHint(problem: SourceProblem, { definitions }: DocumentNode): SourceProblem {
  const [, name] = /^Unknown type "([^"]*)"/.exec(problem.message) ?? [];
  if (name === undefined) return problem;
  const known = definitions.flatMap((definition) =>
    'name' in definition && definition.name && definition.kind !== Kind.DIRECTIVE_DEFINITION
      ? definition.name.value
      : [],
  );
  const meant = scalarByOtherName.get(name.toLowerCase());
  const hint = meant ? `. Did you mean "${meant}"?` : suggest([name], [...known, ...scalarNames]);
  return { ...problem, message: `Unknown type "${name}"${hint || '.'}` };
}

function toProblems(errors: readonly GraphQLError[]): SourceProblem[] {
  return errors.map((error) => {
    const node = error.nodes?.find(({ loc }) => loc);
    if (node) return problemAt(node, error.message);
    const place = error.locations?.[0];
    return {
      file: error.source?.name ?? 'graphql',
      line: place?.line ?? 1,
      column: place?.column ?? 1,
      message: error.message,
    };
  });
}

// Limits how deep SDL nests: brackets in its text, and embedded types in each other. All that reads or compares types recurses with them.

/** The maximum nesting of brackets of any kind. */
const maxBrackets = 100;

const openings: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const closings: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/** Refuses SDL whose brackets nest too deep for the parser. Errors: a GraphQLError, also for other errors of the text. */
function assertBracketNesting(source: Source): void {
  const lexer = new Lexer(source);
  for (let depth = 0; lexer.advance().kind !== TokenKind.EOF; ) {
    const { kind, start } = lexer.token;
    if (openings.includes(kind)) depth++;
    else if (closings.includes(kind)) depth--;
    if (depth > maxBrackets)
      throw syntaxError(source, start, `Brackets nest more than ${maxBrackets} levels`);
  }
}

/** Finds the content types in which embedded types nest deeper than a body may; a type that contains itself counts once. */
export function findTooDeep(
  named: readonly GraphQLNamedType[],
  classes: ReadonlyMap<string, unknown>,
): GraphQLNamedType[] {
  const depths = new Map<string, number>();

  /** Returns the number of levels of a type, as far as `maxJsonDepth`. */
  function depthOf(type: GraphQLNamedType, around: readonly string[]): number {
    const kinds = findKinds(type);
    if (kinds.length > 0) return Math.max(...kinds.map((kind) => depthOf(kind, around)));
    if (!isObjectType(type) && !isInterfaceType(type)) return 0;
    if (around.includes(type.name) || around.length > maxJsonDepth) return 0;
    const known = depths.get(type.name);
    if (known !== undefined) return known;
    const inside = Object.values(type.getFields())
      .map((field) => getNamedType(field.type))
      .filter(({ name }) => !classes.has(name));
    const path = [...around, type.name];
    const depth = 1 + Math.max(0, ...inside.map((member) => depthOf(member, path)));
    depths.set(type.name, depth);
    return depth;
  }

  return named.filter((type) => classes.has(type.name) && depthOf(type, []) > maxJsonDepth);

  /** Finds the embedded types that a union or an interface stands for. */
  function findKinds(type: GraphQLNamedType): readonly GraphQLObjectType[] {
    if (classes.has(type.name)) return [];
    const kinds = isUnionType(type)
      ? type.getTypes()
      : named.filter(
          (other) => isObjectType(other) && other.getInterfaces().some(({ name }) => name === type.name),
        );
    return kinds.filter((kind) => isObjectType(kind)).filter(({ name }) => !classes.has(name));
  }
}
