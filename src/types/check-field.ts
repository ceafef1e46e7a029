/**
 * Checks one field of the SDL: its name, its list type and its directives.
 */
import { type GraphQLField, isListType, isNonNullType } from 'graphql';
import type { SourceProblem } from '../base/errors.ts';
import { toTitlePath } from '../model/asset-title.ts';
import { type Constraint, type Field, isFileType, scalarNames } from '../model/content-type.ts';
import { scalars } from '../model/values/scalars.ts';
import { compilePattern } from '../text/compile-pattern.ts';
import { problemAt } from './parse-types.ts';
import { findDirectives } from './read-directives.ts';

/** Returns the JSON name of a field: the name in `@json`, or else its GraphQL name. */
export function toJsonName(graphqlName: string, json: Record<string, unknown> | undefined): string {
  const name = json?.name;
  return typeof name === 'string' ? name : graphqlName;
}

/** Finds all problems of one field, in the SDL and in its parsed form. */
export function checkField({
  field,
  graphqlField,
  ownerName,
}: {
  field: Field;
  graphqlField: GraphQLField<unknown, unknown>;
  ownerName: string;
}): SourceProblem[] {
  return [
    ...checkShape(graphqlField),
    ...checkName(field),
    ...checkFormerNames(field),
    ...checkIndexed(field),
    ...checkSearchable(field),
    ...checkConstraint(field),
    ...checkFile(field, graphqlField),
    ...checkDecimalLimits(field, graphqlField),
  ].map((message) => problemAt(graphqlField.astNode, `${ownerName}.${graphqlField.name}: ${message}`));
}

function checkShape(field: GraphQLField<unknown, unknown>): string[] {
  if (field.args.length > 0) return ['a field of a content type cannot have arguments'];
  const type = isNonNullType(field.type) ? field.type.ofType : field.type;
  if (!isListType(type)) return [];
  const item = isNonNullType(type.ofType) ? type.ofType.ofType : type.ofType;
  if (isListType(item)) return ['a list of lists cannot be stored'];
  return isNonNullType(type.ofType) ? [] : [`a list cannot contain null: write [${type.ofType}!]`];
}

const jsonNamePattern = /^_?[A-Za-z][A-Za-z0-9_-]*(\._?[A-Za-z][A-Za-z0-9_-]*)*$/;

/** The members that Colophon itself defines: in assets, in references, in predicates of webhooks and in stores. */
const systemMembers = ['_id', '_type', '_ref', '_by', '_before', '_colophon'];

function checkJsonName(kind: string, name: string): string[] {
  if (!jsonNamePattern.test(name))
    return [
      `${kind} ${JSON.stringify(name)} must be letters, digits, _ and -, with dots between words, and begin with a letter or one _`,
    ];
  const member = name.split('.').find((part) => systemMembers.includes(part));
  return member
    ? [`${kind} ${name} is reserved: Colophon defines the members ${systemMembers.join(', ')}`]
    : [];
}

const checkFormerNames = ({ formerNames }: Field): string[] =>
  formerNames.flatMap((name) => checkJsonName('former name', name));

/** Filters have these members beside those of the fields. */
const joiningNames = ['and', 'or', 'not'];

function checkName({ name, graphqlName }: Field): string[] {
  if (joiningNames.includes(graphqlName)) return [`the name ${graphqlName} is reserved for filters`];
  const problems = checkJsonName('JSON name', name);
  if (problems.length > 0) return problems;
  const expected = name.replaceAll(/[.-]/g, '_');
  return expected === graphqlName
    ? []
    : [`JSON name ${JSON.stringify(name)} requires the GraphQL name ${expected}`];
}

function checkIndexed({ indexed, type }: Field): string[] {
  if (!indexed) return [];
  if (type.kind === 'embedded') return ['an embedded value cannot be indexed: index a field inside it'];
  if (type.kind === 'scalar' && !scalars[type.scalar].indexable) {
    return [`${type.scalar} cannot be indexed`];
  }
  return [];
}

const searchableScalars = scalarNames.filter((name) => scalars[name].searchable);

function checkSearchable({ searchable, type }: Field): string[] {
  const isText = type.kind === 'scalar' && scalars[type.scalar].searchable;
  return searchable && !isText ? [`@searchable is for ${searchableScalars.join(' and ')}`] : [];
}

/** Finds what is wrong with the `@title` of a field. The embedded types inside it must be read completely. */
export function checkTitle(field: Field): string[] {
  const { isTitle, titlePath } = field;
  if (!isTitle || toTitlePath(field)) return [];
  return titlePath === undefined
    ? ['@title is for a String that is not a list, or needs the path of one in an embedded value']
    : [`@title has the path ${JSON.stringify(titlePath)}, which leads to no String outside of lists`];
}

/** Returns what is wrong with the use of `@title` among the fields of one type. */
export function checkTitles(
  fields: readonly Field[],
  { isContentType }: { isContentType: boolean },
): string[] {
  const names = fields.filter(({ isTitle }) => isTitle).map(({ name }) => name);
  if (names.length > 0 && !isContentType) return ['@title is for fields of content types'];
  return names.length > 1 ? [`only one field can have @title, not ${names.join(' and ')}`] : [];
}

function checkConstraint({ constraint, type, list }: Field): string[] {
  const { minLength, maxLength, pattern, min, max, scale, minItems, maxItems } = constraint;
  const { family = undefined, isNumeric = false } = type.kind === 'scalar' ? scalars[type.scalar] : {};
  const problems: string[] = [];
  if (family !== 'text' && (minLength ?? maxLength ?? pattern) !== undefined) {
    problems.push('minLength, maxLength and pattern are for texts');
  }
  if (family !== 'number' && !isNumeric && (min ?? max) !== undefined)
    problems.push('min and max are for numbers');
  if (!isNumeric && scale !== undefined) problems.push('scale is for Decimal');
  if (scale !== undefined && (scale < 0 || scale > maxScale)) problems.push(`scale must be 0 to ${maxScale}`);
  if (!list && (minItems ?? maxItems) !== undefined) problems.push('minItems and maxItems are for lists');
  return [...problems, ...checkRanges(constraint), ...checkPattern(pattern)];
}

/** The most digits after the point that a Decimal can have. */
const maxScale = 9;

/** The most digits that every number of the SDL keeps. */
const safeDigits = 15;

/** Finds the limits of a Decimal that are none themselves, or have more digits than a number of the SDL keeps. */
function checkDecimalLimits({ type }: Field, { astNode }: GraphQLField<unknown, unknown>): string[] {
  if (type.kind !== 'scalar' || !scalars[type.scalar].isNumeric) return [];
  const written = findDirectives(astNode, 'constraint').flatMap(({ arguments: given = [] }) => given);
  return written.flatMap(({ name, value }) => {
    if ((name.value !== 'min' && name.value !== 'max') || !('value' in value)) return [];
    const limit = String(value.value);
    const isKept = limit.replace(/^-|\.|^-?0+/g, '').length <= safeDigits && scalars.Decimal.accepts(limit);
    return isKept
      ? []
      : [`${name.value} must be a number of at most ${safeDigits} digits, 9 of them after the point`];
  });
}

/** A media type such as `image/png`, or all of a kind such as `image/*`. */
const acceptPattern = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/([a-z0-9][a-z0-9!#$&^_.+-]*|\*)$/;

function checkFile({ type, constraint }: Field, { astNode }: GraphQLField<unknown, unknown>): string[] {
  const { accept, maxBytes } = constraint;
  const isFile = type.kind === 'embedded' && isFileType(type.type);
  if (!isFile)
    return findDirectives(astNode, 'file').length > 0 ? ['@file is for fields of the type File'] : [];
  const wrong = accept?.filter((mediaType) => !acceptPattern.test(mediaType)) ?? [];
  return [
    ...wrong.map(
      (given) => `accept lists media types such as image/png or image/*, not ${JSON.stringify(given)}`,
    ),
    ...(accept?.length === 0 ? ['accept must list one media type at least'] : []),
    ...(maxBytes !== undefined && maxBytes < 1 ? ['maxBytes must be 1 or more'] : []),
    ...(findDirectives(astNode, 'default').length > 0 ? ['a file cannot have a default'] : []),
  ];
}

function checkRanges(constraint: Constraint): string[] {
  const ranges = [
    ['minLength', 'maxLength'],
    ['min', 'max'],
    ['minItems', 'maxItems'],
  ] as const;
  return ranges.flatMap(([low, high]) => {
    const [from, to] = [constraint[low], constraint[high]];
    if (low !== 'min' && [from, to].some((limit) => limit !== undefined && limit < 0)) {
      return [`${low} and ${high} cannot be negative`];
    }
    return from !== undefined && to !== undefined && from > to ? [`${low} is greater than ${high}`] : [];
  });
}

function checkPattern(pattern: string | undefined): string[] {
  if (pattern === undefined) return [];
  try {
    compilePattern(pattern);
    return [];
  } catch (error) {
    return [`pattern ${error instanceof Error ? error.message : String(error)}`];
  }
}
