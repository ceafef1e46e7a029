/**
 * The handlers of the installation's content types and OpenAPI documents.
 */

import type * as api from '../../../../generated/server/admin.ts';
import type { ApiClient } from '../../../access/clients/api-client.ts';
import type { ApiClients } from '../../../access/clients/api-clients.ts';
import { checkRunning, invalidBody, notFound, type SourceProblem } from '../../../base/errors.ts';
import type { ContentService } from '../../../content/content-service.ts';
import { referencePaths } from '../../../content/reading/find-references.ts';
import type { OpenApiDocument } from '../../../documents/openapi-document.ts';
import type { GraphqlEndpoints } from '../../../graphql/endpoints/graphql-endpoints.ts';
import type { PublishedApis } from '../../../mapping/routes/published-apis.ts';
import type { CheckOutcome } from '../../../mapping/types-check/types-report.ts';
import { findTitlePath } from '../../../model/asset-title.ts';
import {
  type ContentType,
  type EmbeddedType,
  type Field,
  kindsOf,
  type ValueType,
} from '../../../model/content-type.ts';
import { concreteTypes } from '../../../types/restrict-catalog.ts';
import type { TypeSource } from '../../../types/type-sources.ts';
import type { Webhooks } from '../../../webhooks/webhooks.ts';
import { type AdminHandlers, administrator, ok } from './responses.ts';

/** How many fields of a type are listed as referring to another. */
const maxPaths = 200;

/** Creates the handlers. `content` provides the catalog and counts assets; `documents` returns those bundled for this catalog. */
export function createTypeHandlers(
  content: ContentService,
  documents: () => { readonly cma: OpenApiDocument; readonly admin: OpenApiDocument },
): Pick<AdminHandlers, 'listTypes' | 'getType' | 'getCmaDocument' | 'getAdminDocument'> {
  const { catalog } = content;
  const types = [...catalog.types.values(), ...catalog.interfaces.values()].sort((one, other) =>
    one.class < other.class ? -1 : 1,
  );

  async function countAssets({ class: from }: ContentType): Promise<number> {
    const { count = 0 } = await content.find({ from, offset: 0, limit: 0, withCount: true }, administrator);
    return count;
  }

  /** Finds the fields that may refer to assets of a type, or of those that implement an interface. */
  function findReferring({ class: name, kind }: ContentType): api.ReferringField[] {
    const all = [...catalog.types.values()];
    const targets =
      kind === 'object' ? [name] : all.flatMap((one) => (one.interfaces.includes(name) ? [one.class] : []));
    return all.flatMap((type) => {
      const paths = new Set(targets.flatMap((target) => referencePaths(type, target)));
      return [...paths].slice(0, maxPaths).map((path) => ({ class: type.class, path }));
    });
  }

  return {
    async getCmaDocument() {
      return ok({ ...documents().cma });
    },

    async getAdminDocument() {
      return ok({ ...documents().admin });
    },

    async listTypes({ query: { withCounts = true } }) {
      const summaries = types.map(async (type) => ({
        ...outline(type),
        ...(withCounts && { count: await countAssets(type) }),
      }));
      return ok({ items: await Promise.all(summaries) });
    },

    async getType({ path }) {
      const type = catalog.find(path.class);
      if (!type) throw notFound(path.class, 'content type');
      const embedded = findEmbedded(type);
      return ok({
        ...outline(type),
        ...named('dropped', type.dropped),
        ...(type.keys.length > 0 && { keys: type.keys.map((names) => [...names]) }),
        ...named(
          'conditionalKeys',
          type.conditionalKeys.map(({ fields, where }) => ({ fields: [...fields], where })),
        ),
        ...named(
          'checks',
          type.checks.map(({ where, message, path, fields }) => ({
            where,
            message,
            path,
            fields: [...fields],
          })),
        ),
        ...(type.inverses.length > 0 && {
          inverses: type.inverses.map(({ graphqlName, target, field }) => ({ graphqlName, target, field })),
        }),
        ...named('referencedBy', findReferring(type)),
        ...titleFieldOf(type),
        ...(type.previewPath !== undefined && { previewPath: type.previewPath }),
        fields: fieldsOf(type),
        embeddedTypes: embedded.map(({ name, ...rest }) => ({
          name,
          ...described(rest),
          ...named('dropped', rest.dropped),
          ...named('kinds', [...(rest.kinds?.keys() ?? [])]),
          fields: fieldsOf(rest),
        })),
      });
    },
  };
}

function outline({ class: className, id, name, kind, interfaces, formerClasses, ...type }: ContentType) {
  return {
    class: className,
    id,
    name,
    kind,
    ...described(type),
    interfaces: [...interfaces],
    ...named('formerClasses', formerClasses),
  };
}

function titleFieldOf(type: ContentType): { titleField?: string } {
  const path = findTitlePath(type);
  return path ? { titleField: path.text } : {};
}

/** Makes a member of a list that is omitted when it is empty. */
function named<Name extends string, Item = string>(
  name: Name,
  list: readonly Item[],
): { [Member in Name]?: Item[] } {
  // The compiler does not see that a computed name is the one of its type.
  return (list.length > 0 ? { [name]: [...list] } : {}) as { [Member in Name]?: Item[] };
}

/** What people read about a type or a field. */
const described = ({ description, label, group }: Pick<Field, 'description' | 'label' | 'group'>) => ({
  ...(description !== undefined && { description }),
  ...(label !== undefined && { label }),
  ...(group !== undefined && { group }),
});

function fieldsOf({ fields }: Pick<EmbeddedType, 'fields'>): api.Field[] {
  return [...fields.values()].map(({ name, graphqlName, type, indexed, ...field }) => ({
    name,
    graphqlName,
    ...described(field),
    type: toFieldType(type),
    list: field.list,
    required: field.required,
    ...(indexed ? { indexed: { unique: indexed.unique } } : {}),
    ...(field.onDelete ? { onDelete: field.onDelete } : {}),
    ...(field.searchable ? { searchable: true } : {}),
    constraint: constraintOf(field),
    ...named('formerNames', field.formerNames),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.defaultVariable && { defaultVariable: field.defaultVariable }),
    ...(field.deprecated === undefined ? {} : { deprecated: field.deprecated }),
  }));
}

const constraintOf = ({ constraint: { accept, ...limits } }: Pick<Field, 'constraint'>): api.Constraint => ({
  ...limits,
  ...(accept && { accept: [...accept] }),
});

function toFieldType(type: ValueType): api.FieldType {
  switch (type.kind) {
    case 'scalar':
      return { kind: type.kind, name: type.scalar };
    case 'enum':
      return {
        kind: type.kind,
        name: type.name,
        values: [...type.values],
        ...(type.deprecated ? { deprecated: Object.fromEntries(type.deprecated) } : {}),
        ...(type.labels ? { labels: Object.fromEntries(type.labels) } : {}),
      };
    case 'reference':
      return { kind: type.kind, name: type.name, targets: [...type.targets] };
    case 'embedded':
      return { kind: type.kind, name: type.type.name };
  }
}

/** Finds the embedded types of a type's fields at any depth, in field order. */
function findEmbedded({ fields }: Pick<EmbeddedType, 'fields'>): EmbeddedType[] {
  const found = new Map<string, EmbeddedType>();
  const visit = (of: ReadonlyMap<string, Field>) => {
    for (const { type } of of.values()) {
      if (type.kind !== 'embedded' || found.has(type.type.name)) continue;
      found.set(type.type.name, type.type);
      for (const kind of kindsOf(type.type)) {
        found.set(kind.name, kind);
        visit(kind.fields);
      }
    }
  };
  visit(fields);
  return [...found.values()];
}

/** What the handlers need. */
export interface TypesCheckServices {
  readonly typesChecker: {
    /** The SDL files of the content types. */
    readonly sources: readonly TypeSource[];
    /** Checks a change until the signal. */
    check(change: {
      /** Absent means the present types. */
      readonly before: readonly TypeSource[] | undefined;
      readonly after: readonly TypeSource[];
      readonly signal: AbortSignal;
    }): Promise<CheckOutcome>;
  };
}

/** Loading a longer SDL would take too long. */
const maxSourceLength = 262_144;

export function createTypesCheckHandlers({
  typesChecker,
}: TypesCheckServices): Pick<AdminHandlers, 'getTypeSources' | 'checkTypes'> {
  let isChecking = false;
  return {
    async getTypeSources() {
      return ok({ sources: typesChecker.sources.map(({ file, text }) => ({ file, text })) });
    },

    async checkTypes({ body: { sources, against }, signal }) {
      if (isChecking) throw checkRunning();
      isChecking = true;
      try {
        assertLength(sources, 'sources');
        if (against) assertLength(against, 'against');
        const outcome = await typesChecker.check({ before: against, after: sources, signal });
        if ('report' in outcome) return ok(outcome.report);
        const { refused, problems } = outcome;
        throw refused === 'after'
          ? refuseTypes(problems, { path: 'sources', sources })
          : refuseTypes(problems, { path: 'against', sources: against ?? [] });
      } finally {
        isChecking = false;
      }
    },
  };
}

/** The files in a member of the body. */
interface SubmittedTypes {
  readonly path: string;
  readonly sources: readonly TypeSource[];
}

function assertLength(sources: readonly TypeSource[], path: string): void {
  const length = sources.reduce((sum, { text }) => sum + text.length, 0);
  if (length > maxSourceLength)
    throw invalidBody([{ path, message: `must have at most ${maxSourceLength} characters in all` }]);
}

const refuseTypes = (problems: readonly SourceProblem[], submitted: SubmittedTypes) =>
  invalidBody(
    problems.map(({ file, line, column, message }) => ({
      path: placeOf(file, submitted),
      message: `${file}:${line}:${column} ${message}`,
    })),
  );

/** Returns the member of the body that a file is from; a problem may also be in a file that every installation has. */
function placeOf(file: string, { path, sources }: SubmittedTypes): string {
  const index = sources.findIndex((source) => source.file === file);
  return index < 0 ? path : `${path}[${index}].text`;
}

// The handler that says who uses a content type. Routes come from the registry in memory, which knows the types of each operation; the
// other users are found in their records, and no content is read.

/** Who may use a type. */
interface TypeUsers {
  readonly content: Pick<ContentService, 'catalog'>;
  readonly graphqlEndpoints: Pick<GraphqlEndpoints, 'list'>;
  readonly publishedApis: Pick<PublishedApis, 'routes'>;
  readonly webhooks: Pick<Webhooks, 'readStored'>;
  readonly clients: Pick<ApiClients, 'list'>;
}

/** Creates the handler. */
export function createTypeUseHandlers({
  content: { catalog },
  graphqlEndpoints,
  publishedApis,
  webhooks,
  clients,
}: TypeUsers): Pick<AdminHandlers, 'getTypeUses'> {
  return {
    async getTypeUses({ path }) {
      const type = catalog.find(path.class);
      if (!type) throw notFound(path.class, 'content type');
      const classes = new Set(catalog.concrete(type));
      const covers = (names: readonly string[]) => !classes.isDisjointFrom(concreteTypes(catalog, names));
      const [allEndpoints, hooks, allClients] = await Promise.all([
        graphqlEndpoints.list(),
        webhooks.readStored(),
        clients.list(),
      ]);
      const endpoints = allEndpoints.filter(({ readTypes }) => covers(readTypes));
      const ids = new Set(endpoints.map(({ id }) => id));
      const routes = publishedApis
        .routes()
        .flatMap(({ route, ...place }) =>
          route.operation?.readTypes.some((name) => classes.has(name)) ? [{ ...place, route }] : [],
        );
      return ok({
        graphqlEndpoints: listOf(endpoints, ({ id, name, writeTypes }) => ({
          id,
          name,
          writes: covers(writeTypes),
        })),
        routes: listOf(
          routes.map(({ path, methods, route }) => ({ name: `${route.name} ${path}`, path, methods, route })),
          ({ path, methods, route: { restEndpoint, mapping, operation } }) => ({
            restEndpoint: { id: restEndpoint.id, name: restEndpoint.name },
            mapping: mapping.name,
            methods: [...methods],
            path,
            writes: operation?.kind === 'mutation',
          }),
        ),
        webhooks: listOf(
          hooks.filter(({ types }) => covers(types)),
          ({ id, name, actions }) => ({ id, name, actions: [...actions] }),
        ),
        apiClients: listOf(
          allClients.filter((client) => mayReach(client, ids)),
          ({ clientId, name, scopes }) => ({ clientId, name, scopes: [...scopes] }),
        ),
      } satisfies api.TypeUses);
    },
  };
}

/** Whether a client may use the content management API, or one of the GraphQL endpoints. */
function mayReach({ scopes, endpoints, revokedAtMs }: ApiClient, ids: ReadonlySet<string>): boolean {
  if (revokedAtMs !== undefined) return false;
  if (scopes.some((scope) => scope === 'admin' || scope.startsWith('cma:'))) return true;
  return scopes.includes('graphql') && ids.size > 0 && (endpoints?.some((id) => ids.has(id)) ?? true);
}

/** How many users of one kind are listed. */
const maxListed = 100;

/** Counts users, and describes the first ones by name. */
function listOf<User extends { readonly name: string }, Item>(
  users: readonly User[],
  describe: (user: User) => Item,
): { count: number; items: Item[] } {
  const sorted = users.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { count: users.length, items: sorted.slice(0, maxListed).map(describe) };
}
