/**
 * Compares what the OpenAPI document of a route does not say, or says where no schema is: the syntax of variables, where the data comes
 * from, the part of it that the response is, and for whom and how long it may be kept.
 */
import type { DocumentChange } from '../../documents/compare-schemas.ts';
import { readFieldSources } from '../../graphql/operations/field-sources.ts';
import { attention, breaking, type Finding, safe } from '../../model/types/type-change.ts';
import { parametersOf } from '../routes/path-template.ts';
import type { RoutePair } from './route-pair.ts';

/** Finds the changes; a place is within the route. */
export function compareBehavior(pair: RoutePair): DocumentChange[] {
  return [
    ...compareSyntax(pair),
    ...compareDefaults(pair),
    ...compareSource(pair),
    ...comparePointers(pair),
    ...compareOrigins(pair),
    ...compareCaching(pair),
  ];
}

const at = (place: string, finding: Finding): DocumentChange => ({ place, ...finding });

function compareSyntax({ before, after }: RoutePair): DocumentChange[] {
  const [was, is] = [before, after].map(({ definition }) => definition?.disableParameterSlashSyntax ?? false);
  const inPath = parametersOf(before.path);
  const isUsed = before.route.operation.variables.some(({ name }) => !inPath.includes(name));
  if (was === is || !isUsed) return [];
  const message = is ? 'are JSON literals, and were texts' : 'are texts, and were JSON literals';
  return [at('variables in query strings and forms', breaking(message))];
}

function compareDefaults({ before, after }: RoutePair): DocumentChange[] {
  const news = new Map(after.route.operation.variables.map((variable) => [variable.name, variable]));
  return before.route.operation.variables.flatMap((old) => {
    const now = news.get(old.name);
    const [was, is] = [old.default, now?.default].map((value) => JSON.stringify(value));
    if (!now || was === is || now.required) return [];
    return [
      at(`variable ${old.name}`, attention(`has the default ${is ?? 'null'}, and had ${was ?? 'null'}`)),
    ];
  });
}

/** Where the data comes from. Values that only one of them has are differences of the documents. */
function compareSource({ before, after }: RoutePair): DocumentChange[] {
  const [was, is] = [before.route.operation.kind, after.route.operation.kind];
  if (was !== is) return [at('request', breaking(`runs a ${is}, and ran a ${was}`))];
  const moved =
    before.route.sourceId === after.route.sourceId
      ? []
      : [at('response', attention('comes from another GraphQL endpoint'))];
  const [olds, news] = [before, after].map(({ route }) => readFieldSources(route.mapping.query));
  const changed = [...(olds ?? [])].filter(([path, old]) => old !== (news?.get(path) ?? old));
  return [
    ...moved,
    ...changed.map(([path]) =>
      at('response', attention(`reads ${path} from another field, or with other arguments`)),
    ),
  ];
}

function comparePointers({ before, after }: RoutePair): DocumentChange[] {
  const [old, now] = [before.route.mapping, after.route.mapping];
  const results = old.result === now.result ? [] : [resultChange(old.result, now.result)];
  if (old.notFound === now.notFound) return results;
  const message =
    now.notFound === undefined
      ? `no longer has the status 404 if ${old.notFound} is null`
      : `has the status 404 if ${now.notFound} is null`;
  return [...results, at('response', attention(message))];
}

function resultChange(was: string | undefined, is: string | undefined): DocumentChange {
  const [before, after] = [was, is].map((pointer) =>
    pointer === undefined ? 'the GraphQL response' : `the value at ${pointer} alone`,
  );
  const isOtherForm = was === undefined || is === undefined;
  return at('response', (isOtherForm ? breaking : attention)(`is ${after}, and was ${before}`));
}

function compareOrigins({ before, after }: RoutePair): DocumentChange[] {
  const [olds, news] = [before, after].map(({ route }) => route.cors?.origins ?? []);
  if (news?.includes('*')) return [];
  const removed = olds?.filter((origin) => !news?.includes(origin)) ?? [];
  if (removed.length === 0) return [];
  const pages = removed.includes('*') ? 'any page' : `pages of ${removed.join(', ')}`;
  return [at('request', breaking(`can no longer be sent by ${pages} in a browser`))];
}

function compareCaching({ before, after }: RoutePair): DocumentChange[] {
  if (before.method !== 'GET' || after.route.operation.kind !== 'query') return [];
  const [was, is] = [before, after].map(({ route }) => route.mapping.cacheSeconds);
  const [oldTags, newTags] = [before, after].map(({ definition }) => definition?.cacheTags);
  const seconds = was === is ? [] : [at('response', safe(`may be kept for ${is} s, and ${was} s before`))];
  if (oldTags === newTags || oldTags === undefined) return seconds;
  const tags = newTags === undefined ? 'has no cache tags' : `has its cache tags in ${newTags}`;
  return [...seconds, at('response', attention(`${tags}, and had them in ${oldTags}`))];
}
