/**
 * Loads content types: SDL sources to a catalog, or to every problem that they have, with file and line.
 *
 * GraphQL's own rules are checked in `parse-types.ts`; here Colophon reads what the types mean, fields in `read-fields.ts`, and
 * checks its own rules.
 */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { badTypes, type SourceProblem } from '../base/errors.ts';
import { isUuid } from '../base/uuid.ts';
import { createCatalog, typeIdOf } from '../model/catalog.ts';
import { type Catalog, type ContentType, scalarNames } from '../model/content-type.ts';
import { maxJsonDepth } from '../model/values/parse-json.ts';
import { isScalarName } from '../model/values/scalars.ts';
import { checkContentType, checkGeneratedNames } from './check-catalog.ts';
import { findTooDeep, type ParseOptions, parseTypes, problemAt } from './parse-types.ts';
import {
  type Composite,
  classOf,
  createDirectiveReader,
  readContentTypeDirective,
  type SchemaReading,
} from './read-directives.ts';
import { describe, readFields } from './read-fields.ts';
import { readRules } from './read-rules.ts';
import { findMisplacedNames, readTypeChanges } from './read-type-changes.ts';
import {
  findMisplaced,
  findMisplacedGroups,
  findMisplacedInverses,
  readInverses,
  readKeys,
  readLabels,
  readPreviewPath,
} from './read-type-directives.ts';
import type { TypeSource } from './type-sources.ts';

/**
 * Loads the catalog of the content types in SDL sources.
 *
 * Errors: bad_types, with every problem of the first stage that has any: syntax, GraphQL's rules, Colophon's rules, predicates.
 */
export function loadTypes(sources: readonly TypeSource[], options?: ParseOptions): Catalog {
  const schema = parseTypes(sources, options);
  const { contentTypes, problems, reading } = readContentTypes(schema);
  problems.push(...checkGeneratedNames(schema, contentTypes));
  if (problems.length > 0) throw badTypes(problems);
  const { rules, problems: ofRules } = readRules(reading, createCatalog(contentTypes));
  if (ofRules.length > 0) throw badTypes(ofRules);
  return createCatalog(contentTypes.map((type) => ({ ...type, ...rules.get(type.class) })));
}

function readContentTypes(schema: GraphQLSchema): {
  contentTypes: readonly ContentType[];
  problems: SourceProblem[];
  reading: SchemaReading;
} {
  const named = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
  const reading = startReading(schema, named);
  const { classes, directives, problems } = reading;
  const tooDeep = findTooDeep(named, classes).map(({ name, astNode }) =>
    problemAt(astNode, `${name}: embedded types nest more than ${maxJsonDepth} levels deep`),
  );
  if (tooDeep.length > 0) return { contentTypes: [], problems: tooDeep, reading };
  problems.push(
    ...findUnknownScalars(named),
    ...findMisplaced('unique', classes, named),
    ...findMisplaced('check', classes, named),
    ...findMisplaced('preview', classes, named),
    ...findMisplacedInverses(reading),
    ...findMisplacedGroups(classes, named),
  );
  const contentTypes = [...classes.values()]
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .map((type) => readContentType(reading, type));
  problems.push(...findMisplacedNames(reading, named));
  problems.push(...reading.laterChecks.flatMap((check) => check()), ...directives.problems());
  for (const type of contentTypes) {
    problems.push(...checkContentType(type, contentTypes, classes.get(type.name)?.astNode));
  }
  return { contentTypes, problems, reading };
}

function startReading(schema: GraphQLSchema, named: readonly GraphQLNamedType[]): SchemaReading {
  const directives = createDirectiveReader(schema);
  const contentTypes = named.filter((type) => readContentTypeDirective(directives, type) !== undefined);
  const classes = new Map(contentTypes.map((type) => [type.name, type]));
  return {
    schema,
    directives,
    classes,
    embeddedTypes: new Map(),
    blocks: new Map(),
    laterChecks: [],
    problems: [],
  };
}

function findUnknownScalars(named: readonly GraphQLNamedType[]): SourceProblem[] {
  const unknown = named.filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type) && !isScalarName(type.name),
  );
  return unknown.map(({ name, astNode }) =>
    problemAt(astNode, `scalar ${name} is unknown; there are ${scalarNames.join(', ')}`),
  );
}

function readContentType(reading: SchemaReading, type: Composite): ContentType {
  const { classes, directives, problems } = reading;
  const className = classOf(reading, type.name);
  const values = readContentTypeDirective(directives, type);
  const id = typeof values?.id === 'string' ? values.id : typeIdOf(className);
  if (!isUuid(id)) problems.push(problemAt(type.astNode, `type ID ${JSON.stringify(id)} is not a UUID`));
  const fields = readFields(reading, type);
  return {
    kind: isObjectType(type) ? 'object' : 'interface',
    class: className,
    id: id.toLowerCase(),
    name: type.name,
    ...describe(type),
    ...readLabels(reading, type.name, type.astNode),
    fields,
    ...readTypeChanges(reading, type, fields),
    ...readPreviewPath(reading, type, fields),
    keys: readKeys(reading, type, fields),
    // They are read when all types are known.
    checks: [],
    conditionalKeys: [],
    inverses: readInverses(reading, type),
    interfaces: type
      .getInterfaces()
      .filter(({ name }) => classes.has(name))
      .map(({ name }) => classOf(reading, name)),
  };
}
