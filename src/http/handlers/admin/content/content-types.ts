/**
 * The handlers of the installation's content types and OpenAPI documents.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import { notFound } from '../../../../base/errors.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import type { OpenApiDocument } from '../../../../documents/openapi-document.ts';
import { findTitlePath } from '../../../../model/asset-title.ts';
import {
  type ContentType,
  type EmbeddedType,
  type Field,
  kindsOf,
  type ValueType,
} from '../../../../model/content-type.ts';
import { referencePaths } from '../../../../model/reference-paths.ts';
import { type AdminHandlers, administrator, ok } from '../responses.ts';

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
    ...(field.searchable ? { searchable: true } : {}),
    constraint: constraintOf(field),
    ...named('formerNames', field.formerNames),
    ...(field.default === undefined ? {} : { default: field.default }),
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
