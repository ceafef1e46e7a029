import { describe, expect, it } from 'vitest';
import type { Catalog, ContentType, Field } from '../../../src/model/content-type.ts';
import { concreteTypes, restrictCatalog } from '../../../src/types/restrict-catalog.ts';
import { catalogOf } from '../../support/types.ts';

const catalog = catalogOf(`
interface Party @contentType(class: "my.Party") { name: String! home: Place boss: Party }
interface Unused @contentType(class: "my.Unused") { name: String! }
type Person implements Party @contentType(class: "my.Person") { name: String! home: Place boss: Person }
type Company implements Party @contentType(class: "my.Company", id: "0f5b7f0e-3c35-4b6f-9a59-9e2a4ce0c2ab") {
  name: String!
  home: Place
  boss: Company
}
type Place @contentType(class: "my.Place") { name: String! }
union Owner = Person | Company | Place
type Link { to: Place inner: Link }
type Tree { text: String at: Place inner: [Tree!] link: Link }
type House @contentType(class: "my.House") {
  owner: Owner
  at: Place
  place: Content
  link: Link
  trees: [Tree!]
  parties: [Party!]
  unused: Unused
}
`);

const typeOf = (cut: Catalog, name: string): ContentType => {
  const type = cut.find(name);
  if (!type) throw new Error(`there is no ${name}`);
  return type;
};
const fieldOf = (cut: Catalog, name: string, field: string): Field | undefined =>
  typeOf(cut, name).fields.get(field);
const targetsOf = (field: Field | undefined) =>
  field?.type.kind === 'reference' ? field.type.targets : undefined;

describe('restrictCatalog', () => {
  it('keeps all types for *', () => {
    expect(restrictCatalog(catalog, ['*'])).toBe(catalog);
  });

  it('keeps the named types, by class name or type ID, and the interfaces they implement', () => {
    const cut = restrictCatalog(catalog, ['my.House', '0f5b7f0e-3c35-4b6f-9a59-9e2a4ce0c2ab']);
    expect([...cut.types.keys()]).toEqual(['my.Company', 'my.House']);
    expect([...cut.interfaces.keys()]).toEqual(['my.Party']);
    expect(cut.concrete(typeOf(cut, 'my.Party'))).toEqual(['my.Company']);
    expect(cut.find('my.Place')).toBeUndefined();
  });

  it('expands an interface to all types that implement it', () => {
    expect([...restrictCatalog(catalog, ['my.Party']).types.keys()]).toEqual(['my.Company', 'my.Person']);
  });

  it('ignores names of unknown types', () => {
    expect([...restrictCatalog(catalog, ['my.Gone', 'my.Place']).types.keys()]).toEqual(['my.Place']);
    expect(restrictCatalog(catalog, ['my.Gone', 'my.Unused']).types.size).toBe(0);
  });

  it('drops conditional keys of which a field is hidden, or one that the condition reads', () => {
    const keyed = catalogOf(`
      type A @contentType(class: "k.A") @unique(fields: ["name"], where: "b = null")
        @unique(fields: ["b"], where: "name = x") @unique(fields: ["name"], where: "_id > 'a' and name = x")
      { name: String b: B }
      type B @contentType(class: "k.B") { n: Int }`);
    const wheresOf = (cut: Catalog) => typeOf(cut, 'k.A').conditionalKeys.map(({ where }) => where);
    expect(wheresOf(keyed)).toHaveLength(3);
    expect(wheresOf(restrictCatalog(keyed, ['k.A']))).toEqual(["_id > 'a' and name = x"]);
  });

  it('removes hidden targets from references, and drops references without a visible target', () => {
    const cut = restrictCatalog(catalog, ['my.House', 'my.Person']);
    expect(targetsOf(fieldOf(cut, 'my.House', 'owner'))).toEqual(['my.Person']);
    expect(targetsOf(fieldOf(cut, 'my.House', 'parties'))).toEqual(['my.Person']);
    expect(targetsOf(fieldOf(cut, 'my.House', 'place'))).toEqual(['my.House', 'my.Person']);
    for (const gone of ['at', 'unused', 'cms.site.owner'])
      expect(fieldOf(cut, 'my.House', gone)).toBeUndefined();
  });

  it('restricts embedded types too, and drops those that contain only hidden references', () => {
    const cut = restrictCatalog(catalog, ['my.House']);
    expect(fieldOf(cut, 'my.House', 'link')).toBeUndefined();
    const tree = fieldOf(cut, 'my.House', 'trees')?.type;
    if (tree?.kind !== 'embedded') throw new Error('trees are embedded');
    expect([...tree.type.fields.keys()]).toEqual(['text', 'inner']);
    const inner = tree.type.fields.get('inner')?.type;
    expect(inner?.kind === 'embedded' && inner.type).toBe(tree.type);
  });

  it('removes a field from an interface when an implementing type no longer has it', () => {
    const cut = restrictCatalog(catalog, ['my.Party']);
    expect([...typeOf(cut, 'my.Party').fields.keys()]).toContain('boss');
    expect(targetsOf(fieldOf(cut, 'my.Party', 'boss'))).toEqual(['my.Company', 'my.Person']);
    const narrowed = catalogOf(`
      interface Item @contentType(class: "my.Item") { of: Thing }
      interface Thing @contentType(class: "my.Thing") { name: String }
      type A implements Thing @contentType(class: "my.A") { name: String }
      type B implements Thing @contentType(class: "my.B") { name: String }
      type OfA implements Item @contentType(class: "my.OfA") { of: A }
      type OfB implements Item @contentType(class: "my.OfB") { of: B }`);
    const half = restrictCatalog(narrowed, ['my.Item', 'my.A']);
    expect(fieldOf(half, 'my.OfA', 'of')).toBeDefined();
    expect(fieldOf(half, 'my.OfB', 'of')).toBeUndefined();
    expect(fieldOf(half, 'my.Item', 'of')).toBeUndefined();
  });

  it('does not change the original catalog', () => {
    const before = [...typeOf(catalog, 'my.House').fields.keys()];
    restrictCatalog(catalog, ['my.House']);
    expect([...typeOf(catalog, 'my.House').fields.keys()]).toEqual(before);
    expect(targetsOf(fieldOf(catalog, 'my.House', 'owner'))).toHaveLength(3);
  });
});

describe('concreteTypes', () => {
  it('returns the types of all names together', () => {
    expect(concreteTypes(catalog, ['my.Party', 'my.Person', 'my.House'])).toEqual(
      new Set(['my.Company', 'my.Person', 'my.House']),
    );
    expect(concreteTypes(catalog, ['*']).size).toBe(catalog.types.size);
  });
});
