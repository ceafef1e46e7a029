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
        { ...field, formerNames: [formerName(name)], type: renameValue(field.type) },
      ]),
    );
  function renameValue(type: Field['type']): Field['type'] {
    if (type.kind !== 'embedded') return type;
    const { type: embedded } = type;
    const renamed = known.get(embedded) ?? { ...embedded, fields: new Map<string, Field>() };
    if (!known.has(embedded)) {
      known.set(embedded, renamed);
      for (const [name, field] of rename(embedded.fields))
        (renamed.fields as Map<string, Field>).set(name, field);
    }
    return { kind: 'embedded', type: renamed };
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
        fieldPaths(fields).map(({ path: { steps } }) => [
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
