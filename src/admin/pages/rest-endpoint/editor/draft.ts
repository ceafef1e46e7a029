/**
 * The draft of a REST endpoint. It distinguishes values that the user gave from defaults.
 */

import { toPathName } from '../../../../text/path-name.ts';
import type {
  Mapping,
  MappingInput,
  MappingMethod,
  RestAccess,
  RestEndpointDefinition,
  RestEndpointInput,
} from '../../../api.ts';
import { isSameValue, mergeParts } from '../../../parts/difference/same-value.ts';
import { type CorsDraft, toCors } from '../../../parts/endpoints/cors-fields.tsx';
import type { HandedOverMapping } from '../../../parts/endpoints/mapping-handover.ts';

/** The draft of a REST endpoint. */
export interface EndpointDraft {
  readonly name: string;
  /** Empty for the default. */
  readonly pathPrefix: string;
  /** The ID of a GraphQL endpoint; empty while none is chosen. */
  readonly source: string;
  readonly access: RestAccess;
  readonly disableParameterSlashSyntax: boolean;
  readonly preview?: boolean;
  readonly cors?: CorsDraft;
  /** The name of the header with the cache tags; empty or absent for no tags. */
  readonly cacheTags?: string;
  readonly mappings: readonly MappingDraft[];
}

/** A mapping in the form. */
export interface MappingDraft {
  /** Identifies the mapping while its name changes. It is never reused, so that the state of a removed mapping cannot apply to another. */
  readonly key: number;
  /** Whether its panel is open from the start, as when it was just added. */
  readonly startsOpen: boolean;
  readonly name: string;
  /** `undefined` for the default; empty for the prefix itself. */
  readonly path: string | undefined;
  /** `undefined` for those that the operation's kind suggests. */
  readonly methods: readonly MappingMethod[] | undefined;
  readonly query: string;
  readonly cacheSeconds: number;
  /** JSON Pointers into the data; empty for none. */
  readonly notFound: string;
  readonly result: string;
  readonly tool?: boolean;
  /** Values of the variables to try it with, of a mapping that was just added. */
  readonly examples?: Readonly<Record<string, unknown>> | undefined;
}

/** The prefix of an endpoint, given or by default. */
export function prefixOf({ pathPrefix, name }: EndpointDraft): string {
  return pathPrefix || defaultPath(name);
}

/** The path derived from a name; empty when no character of the name is allowed in a path. */
export function defaultPath(name: string): string {
  const path = toPathName(name);
  return path === '' ? '' : `/${path}`;
}

/** The draft of a new endpoint. */
export const emptyDraft: EndpointDraft = {
  name: '',
  pathPrefix: '',
  source: '',
  access: 'INHERIT',
  disableParameterSlashSyntax: false,
  mappings: [],
};

/** A key that no other mapping of the form has. */
const newKey = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/**
 * The form of an endpoint that is stored; its mappings are the same to the form as those of their names in `before`.
 *
 * Lines end as the editor ends them, so that only what is typed is a change.
 */
export function toDraft(definition: RestEndpointDefinition, before = emptyDraft): EndpointDraft {
  const { mappings, ...settings } = definition;
  return {
    ...settings,
    mappings: mappings.map((mapping: Mapping) => {
      const known = before.mappings.find(({ name }) => name === mapping.name);
      return {
        notFound: '',
        result: '',
        ...mapping,
        key: known?.key ?? newKey(),
        startsOpen: known?.startsOpen ?? false,
        examples: known?.examples,
        query: mapping.query.replace(/\r\n?/g, '\n'),
      };
    }),
  };
}

/** The body that saves a form, without what is left to its default. */
export function toInput(draft: EndpointDraft): RestEndpointInput {
  const { name, pathPrefix, source, access, disableParameterSlashSyntax, preview, cacheTags, mappings } =
    draft;
  const cors = toCors(draft.cors);
  return {
    name,
    ...(pathPrefix === '' ? {} : { pathPrefix }),
    source,
    access,
    disableParameterSlashSyntax,
    ...(preview ? { preview } : {}),
    ...(cors ? { cors } : {}),
    ...(cacheTags ? { cacheTags } : {}),
    mappings: mappings.map(toMappingInput),
  };
}

function toMappingInput(mapping: MappingDraft): MappingInput {
  const { name, path, methods, query, cacheSeconds, notFound, result, tool } = mapping;
  return {
    name,
    query,
    cacheSeconds,
    ...(path === undefined ? {} : { path }),
    ...(methods === undefined ? {} : { methods: [...methods] }),
    ...(notFound === '' ? {} : { notFound }),
    ...(result === '' ? {} : { result }),
    ...(tool ? { tool } : {}),
  };
}

/** The same changes with other keys, so that the state of other mappings cannot apply to theirs. */
export function withNewKeys({ mappings, ...rest }: Partial<EndpointDraft>): Partial<EndpointDraft> {
  return {
    ...rest,
    ...(mappings && { mappings: mappings.map((mapping) => ({ ...mapping, key: newKey() })) }),
  };
}

/** Whether two forms would save the same. */
export function isSameDraft(one: EndpointDraft, other: EndpointDraft): boolean {
  return JSON.stringify(toInput(one)) === JSON.stringify(toInput(other));
}

/** The mappings with the changes of two people, unless both have changed the same one. What one of them has not touched is that of the other anyway. */
export function mergeMappings({
  base,
  theirs,
  mine,
}: Record<'base' | 'theirs' | 'mine', EndpointDraft>): Partial<EndpointDraft> {
  const keyOf = (mapping: MappingDraft) =>
    base.mappings.find(({ name }) => name === mapping.name)?.key ?? mapping.key;
  const mappings = mergeParts({
    base: base.mappings,
    theirs: theirs.mappings.map((mapping) => ({ ...mapping, key: keyOf(mapping) })),
    mine: mine.mappings,
    idOf: ({ key }) => key,
    isSame: (one, other) => isSameValue(toMappingInput(one), toMappingInput(other)),
  });
  return mappings ? { mappings } : {};
}

/** Adds a mapping at the end. */
export function addMapping(draft: EndpointDraft, mapping: Partial<MappingDraft> = {}): EndpointDraft {
  const added = { ...emptyMapping, ...mapping, key: newKey(), startsOpen: true };
  return { ...draft, mappings: [...draft.mappings, added] };
}

const emptyMapping = {
  name: '',
  path: undefined,
  methods: undefined,
  query: '',
  cacheSeconds: 0,
  notFound: '',
  result: '',
};

/** Adds a mapping from another page; the form takes its source unless it has one. */
export function addHandedOver(draft: EndpointDraft, { source, mapping }: HandedOverMapping): EndpointDraft {
  return addMapping({ ...draft, source: draft.source || source }, mapping);
}

/** Changes the mapping of a key. */
export function changeMapping(
  draft: EndpointDraft,
  key: number,
  changes: Partial<MappingDraft>,
): EndpointDraft {
  const change = (mapping: MappingDraft) => (mapping.key === key ? { ...mapping, ...changes } : mapping);
  return { ...draft, mappings: draft.mappings.map(change) };
}

/** Leaves the mapping of a key out. */
export function removeMapping(draft: EndpointDraft, key: number): EndpointDraft {
  return { ...draft, mappings: draft.mappings.filter((mapping) => mapping.key !== key) };
}
