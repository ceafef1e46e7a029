/** The operators that the admin UI offers for a field are those that the server takes. */
import { describe, expect, it } from 'vitest';
import { comparisonsOf } from '../../../src/admin/pages/content/list/filter/operators.ts';
import { suggest } from '../../../src/admin/parts/predicates/suggest.ts';
import { scalarNames } from '../../../src/model/content-type.ts';
import { findOperator, operatorSpellings, operators } from '../../../src/query/operators.ts';
import { createPredicateCompiler } from '../../../src/query/prepare.ts';
import { catalogOf } from '../../support/types.ts';

const catalog = catalogOf(`
  enum Status { DRAFT PUBLISHED }
  type Place { country: String }
  type Page @contentType(class: "x.Page") {
    ${scalarNames.map((name) => `of${name}: ${name}, many${name}: [${name}!]`).join('\n')}
    ofStatus: Status, manyStatus: [Status!], ofPlace: Place, manyPlace: [Place!], ofPage: Page, manyPage: [Page!]
    searched: String @searchable
  }`);
const { prepare } = createPredicateCompiler(catalog);
const takes = (condition: string) => {
  try {
    return prepare(['x.Page'], condition) !== undefined;
  } catch {
    return false;
  }
};

const kinds = [
  ...scalarNames.map((name) => ({ kind: 'scalar' as const, name })),
  { kind: 'enum' as const, name: 'Status', values: ['DRAFT', 'PUBLISHED'] },
  { kind: 'embedded' as const, name: 'Place' },
  { kind: 'reference' as const, name: 'Page', targets: ['x.Page'] },
];
const shared = { required: false, constraint: {} };
const fieldsOf = (type: (typeof kinds)[number]) =>
  [`of${type.name}`, `many${type.name}`].map((name) => {
    return { ...shared, name, graphqlName: name, type, list: name.startsWith('many') };
  });
const fields = kinds.flatMap(fieldsOf);
const text = { kind: 'scalar' as const, name: 'String' };
const searched = {
  ...shared,
  name: 'searched',
  graphqlName: 'searched',
  type: text,
  list: false,
  searchable: true,
};
const page = {
  class: 'x.Page',
  id: 'x',
  name: 'Page',
  kind: 'object' as const,
  interfaces: [],
  embeddedTypes: [{ name: 'Place', fields: [] }],
  fields: [...fields, searched],
};

/** The operators that are suggested behind a path for each first character, without the quantifiers of lists. */
function suggestedFor(path: string): string[] {
  const words = ['', ...'=!<>^~abcdefghijklmnopqrstuvwxyz'].flatMap((begun) =>
    suggest(page, `${path} ${begun}`),
  );
  return words.flatMap(({ word }) => (['any', 'every', 'none'].includes(word) ? [] : [word]));
}

describe.each(['_id', '_type', ...page.fields.map(({ name }) => name)])('for %s', (path) => {
  it('the operators that predicates take are suggested, and no others', () => {
    const suggested = suggestedFor(path);
    expect(
      suggested.filter((word) => !takes(`${path} ${word} ?`) && !takes(`${path} ${word} missing`)),
    ).toEqual([]);
    const offered = new Set(suggested.map((word) => findOperator(word.replace('[c]', ''))));
    const taken = operators.filter((operator) => takes(`${path} ${operatorSpellings[operator][0]} ?`));
    expect([...offered].sort()).toEqual(taken.sort());
  });
});

it.each(Object.values(operatorSpellings).flat())('values are suggested behind %s', (spelling) => {
  expect(suggest(page, `ofStatus ${spelling} `).map(({ word }) => word)).toEqual([
    'DRAFT',
    'PUBLISHED',
    'missing',
  ]);
});

it.each(page.fields)('filters by $name compare as predicates do', (field) => {
  const conditions = comparisonsOf(field).map(
    ({ operator, hasValue }) => `${field.name} ${operator}${hasValue ? ' ?' : ''}`,
  );
  expect(conditions.length).toBeGreaterThan(0);
  expect(conditions.filter((condition) => !takes(condition))).toEqual([]);
});
