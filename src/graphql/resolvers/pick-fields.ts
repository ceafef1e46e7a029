/**
 * Picks the fields of assets that an operation may need: those whose names occur anywhere in its document, also below `@skip` and
 * `@include`.
 */

import { type DocumentNode, Kind, visit } from 'graphql';
import { memberOf } from '../../base/own-members.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';

const inAssets: ReadonlySet<Kind> = new Set([Kind.FIELD, Kind.FRAGMENT_DEFINITION]);

/** Creates the picker for a document. It always keeps `_id` and `_type`. */
export function createFieldPicker({ types }: Catalog, document: DocumentNode): (asset: Asset) => Asset {
  const selected = new Set<string>();
  visit(document, {
    Field({ name }, _key, _parent, _path, ancestors) {
      // A root field belongs to no asset, though it may have the name of a field.
      const isOfAsset = ancestors.some((node) => 'kind' in node && inAssets.has(node.kind));
      if (isOfAsset) selected.add(name.value);
    },
  });
  const namesByType = new Map<string, readonly string[]>();

  function namesOf(className: string): readonly string[] {
    const fields = [...(types.get(className)?.fields.values() ?? [])];
    const names = fields.filter(({ graphqlName }) => selected.has(graphqlName)).map(({ name }) => name);
    namesByType.set(className, names);
    return names;
  }

  return (asset) => {
    const { _id, _type } = asset;
    const picked: Asset = { _id, _type };
    for (const name of namesByType.get(_type) ?? namesOf(_type)) {
      const value = memberOf(asset, name);
      if (value !== undefined) picked[name] = value;
    }
    return picked;
  };
}
