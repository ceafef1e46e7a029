/**
 * Resolves the fields of assets and of embedded values: by JSON name, and references by loading their targets.
 *
 * Stored values may not fit their type: types change, and other processes may serve others. Each resolver checks the shape of its
 * value; `unfit-fields.ts` applies all rules of the type to assets of types that are known to have unfit content.
 */

import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import { memberOf } from '../../base/own-members.ts';
import {
  type Catalog,
  type ContentType,
  type EmbeddedType,
  type Field,
  isFileType,
  type Json,
  type JsonObject,
} from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { isRichText } from '../../query/operators.ts';
import { listTypeName } from '../schema/root-names.ts';
import { findValueTypes } from '../schema/value-types.ts';
import { type FieldShape, isStandIn, shapeOf } from './field-shape.ts';
import type {
  FieldResolver,
  FileUrlResolver,
  ListPageResolvers,
  Resolver,
  TypeResolvers,
} from './resolver-types.ts';
import type { RunContext } from './run-context.ts';
import type { FieldMark } from './unfit-fields.ts';

/** Creates the resolvers of all content types, their pages, and embedded types, by GraphQL name. */
export function createFieldResolvers({ types, interfaces }: Catalog): Map<string, TypeResolvers> {
  const contentTypes = [...types.values()];
  const listed = [...contentTypes, ...interfaces.values()];
  const embedded = [...findValueTypes(contentTypes).values()].flatMap((type) =>
    type.kind === 'embedded' && !type.type.kinds ? [type.type] : [],
  );
  return new Map<string, TypeResolvers>([
    ...[...contentTypes, ...embedded].map((type) => [type.name, resolversOf(type)] as const),
    ...listed.map((type) => [listTypeName(type), new Map(Object.entries(listPageResolvers))] as const),
  ]);
}

/** The resolvers of pages, the same for every content type. */
const listPageResolvers: ListPageResolvers = {
  items: (page) => page.items(),
  count: (page) => page.count(),
  next: (page) => page.next(),
  facets: (page, { paths }) => page.facets(paths),
};

function resolversOf(type: ContentType | EmbeddedType): TypeResolvers {
  const resolvers = [...type.fields.values()].map((field) => [field.graphqlName, resolverOf(field)] as const);
  return new Map<string, Resolver>([
    ...resolvers,
    ...(isFileType(type) ? [['url', resolveFileUrl] as const] : []),
  ]);
}

const resolveFileUrl: FileUrlResolver = (file, variant, { files }) =>
  isStandIn(file) ? '' : files.toUrl(file, variant);

function resolverOf(field: Field): FieldResolver {
  const { name, type } = field;
  const shape = shapeOf(field);
  const read = readerOf(field);
  return (source, _, context, info) => {
    const value = memberOf(source, name) ?? null;
    const mark = context.unfit.find(source, name);
    if (mark || !shape.fits(value)) return replaceUnfit({ source, value, mark, shape, read, context, info });
    if (type.kind !== 'reference') return read(value, context);
    return Array.isArray(value)
      ? Promise.all(value.map((item) => read(item, context)))
      : read(value, context);
  };
}

/** Reads a single value for the response. */
type Reader = (value: Json, context: RunContext) => Json | Promise<Json>;

function readerOf({ type }: Field): Reader {
  if (isRichText(type)) return (value, { files }) => files.completeLinks(value);
  if (type.kind !== 'reference') return (value) => value;
  const targets = new Set(type.targets);
  return (value, context) => loadTarget(value, targets, context);
}

/** Reads the items of a value that fit, with stand-ins for the others. */
function replaceUnfit({
  source,
  value,
  mark,
  shape,
  read,
  context,
  info,
}: {
  source: JsonObject;
  value: Json;
  mark: FieldMark | undefined;
  shape: FieldShape;
  read: Reader;
  context: RunContext;
  info: GraphQLResolveInfo;
}): Json | Promise<Json> {
  // The parent is itself a stand-in, which becomes null.
  if (isStandIn(source)) return shape.standIn;
  const facts = { nodes: info.fieldNodes, isKnown: mark !== undefined };
  const whole = mark?.whole ?? shape.explain(value);
  const path = responsePathAsArray(info.path);
  if (whole !== undefined) {
    context.unfit.note({ ...facts, path, message: whole });
    return shape.standIn;
  }
  if (!Array.isArray(value)) return read(value, context);
  const items = value.map((item, index) => {
    const message = mark?.items.get(index) ?? shape.explainItem(item, index);
    if (message === undefined) return read(item, context);
    context.unfit.note({ ...facts, path: [...path, index], message });
    return shape.itemStandIn;
  });
  return Promise.all(items);
}

/** Loads the target of a reference; null when there is none, or when the field does not allow its type. */
async function loadTarget(
  value: Json,
  targets: ReadonlySet<string>,
  context: RunContext,
): Promise<JsonObject | null> {
  if (!isJsonObject(value) || typeof value._ref !== 'string') return null;
  const target = await context.targets.load(value._ref);
  return target && targets.has(target._type) ? target : null;
}
