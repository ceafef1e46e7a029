/**
 * Checks the mappings whose queries agents can use as tools. The operation gives a tool its name, which no other tool of any REST endpoint
 * may have.
 */
import type { Problem } from '../../base/errors.ts';
import type { GraphqlApi } from '../../graphql/operation.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { RestEndpoint } from '../records/rest-endpoint.ts';
import { definitionsOf } from '../records/rest-endpoint-record.ts';

/** The names of the tools that `/mcp` always has. */
const builtInTools: readonly string[] = [
  'describe_types',
  'find_assets',
  'get_asset',
  'list_changes',
  'draft_changes',
];

const maxNameLength = 64;

/** Finds the problems of the tools of `draft`, given the other REST endpoints. Members may still have the wrong form. */
export function checkTools({
  draft,
  others,
  api,
}: {
  draft: JsonObject;
  others: readonly RestEndpoint[];
  /** The GraphQL endpoint that the draft names, if it exists. */
  api: GraphqlApi | undefined;
}): Problem[] {
  if (!api || !Array.isArray(draft.mappings)) return [];
  const owners = new Map(builtInTools.map((name) => [name, 'Colophon']));
  const tools = draft.mappings.flatMap((mapping, index) =>
    isJsonObject(mapping) && mapping.tool === true ? [{ index, outline: outlineOf(api, mapping) }] : [],
  );
  if (tools.length === 0) return [];
  for (const other of others) {
    const mappings = definitionsOf(other).flatMap((definition) => definition.mappings);
    for (const mapping of mappings) {
      const name = mapping.tool ? outlineOf(api, mapping)?.name : undefined;
      if (name !== undefined)
        owners.set(name, `REST endpoint ${JSON.stringify(other.current.definition.name)}`);
    }
  }
  return tools.flatMap(({ index, outline }) => {
    const { kind, name } = outline ?? {};
    const problem = (message: string) => [{ path: `mappings[${index}].tool`, message }];
    // The document has problems, which are reported.
    if (kind === undefined || name === undefined) return [];
    if (kind !== 'query') return problem('must be false, because agents can use queries only');
    if (name.length > maxNameLength)
      return problem(`needs an operation whose name has at most ${maxNameLength} characters`);
    const owner = owners.get(name);
    owners.set(name, `mappings[${index}]`);
    return owner === undefined ? [] : problem(`results in the name ${name}, which a tool of ${owner} has`);
  });
}

/** Returns the first operation of a mapping's document. */
function outlineOf(api: GraphqlApi, { query }: { readonly query?: unknown }) {
  const outlines = typeof query === 'string' ? api.listOperations(query) : [];
  return 'problems' in outlines ? undefined : outlines[0];
}
