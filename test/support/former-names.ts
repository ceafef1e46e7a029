/** A catalog in which every class and every field has a former name, for stores that have only the former names. */
import { createCatalog } from '../../src/model/catalog.ts';
import type { Catalog, ContentType, EmbeddedType, Field } from '../../src/model/content-type.ts';
import { fieldPaths } from '../../src/model/field-path.ts';
import type { ContentStore } from '../../src/store/port.ts';
import type { RecordedNames } from '../../src/store/renames/recorded-names.ts';
import { createRenamedStore } from '../../src/store/renames/renamed-store.ts';
import { createRenames } from '../../src/store/renames/renames.ts';

const formerName = (name: string) => `was_${name}`;
const formerClass = (name: string) => `was.${name}`;

/** Gives every class and field of a catalog a former name. */
function withFormerNames({ types, interfaces }: Catalog): Catalog {
  const known = new Map<EmbeddedType, EmbeddedType>();
  const rename = (fields: ReadonlyMap<string, Field>): Map<string, Field> =>
    new Map(
      [...fields].map(([name, field]) => [
        name,
        name === '_type'
          ? field
          : { ...field, formerNames: [formerName(name)], type: renameValue(field.type) },
      ]),
    );
  function renameValue(type: Field['type']): Field['type'] {
    if (type.kind !== 'embedded') return type;
    return { kind: 'embedded', type: renameEmbedded(type.type) };
  }
  function renameEmbedded(embedded: EmbeddedType): EmbeddedType {
    const before = known.get(embedded);
    if (before) return before;
    const fields = new Map<string, Field>();
    const kinds = new Map<string, EmbeddedType>();
    const renamed = { ...embedded, fields, ...(embedded.kinds && { kinds }) };
    known.set(embedded, renamed);
    for (const [name, kind] of embedded.kinds ?? []) kinds.set(name, renameEmbedded(kind));
    for (const [name, field] of rename(embedded.fields)) fields.set(name, field);
    return renamed;
  }
  const all = [...types.values()].map(
    (type): ContentType => ({
      ...type,
      fields: rename(type.fields),
      formerClasses: [formerClass(type.class)],
    }),
  );
  return createCatalog([...all, ...interfaces.values()]);
}

/** The record of a store that was served under the former names. */
function formerRecord({ types }: Catalog): RecordedNames {
  return new Map(
    [...types.values()].map(({ class: name, fields }) => [
      formerClass(name),
      new Map(
        fieldPaths(fields)
          .filter(({ field }) => field.name !== '_type')
          .map(({ path: { steps } }) => [
            steps.map((step) => formerName(step.name)).join('/'),
            steps.slice(-1).map((step) => formerName(step.name)),
          ]),
      ),
    ]),
  );
}

/** Opens a store under former names. */
export function openUnderFormerNames(
  catalog: Catalog,
  open: (stored: Catalog) => Promise<ContentStore>,
): Promise<ContentStore> {
  const renames = createRenames(withFormerNames(catalog), formerRecord(catalog));
  return open(renames.stored).then((store) => createRenamedStore(store, renames));
}
