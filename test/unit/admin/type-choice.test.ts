import { describe, expect, it } from 'vitest';
import {
  choosableTypes,
  choose,
  chosenThrough,
  type TypeChoice,
} from '../../../src/admin/pages/graphql-endpoint/type-choice.ts';

const summary = (name: string, kind: 'object' | 'interface', interfaces: string[] = []) => ({
  class: name,
  id: name,
  name,
  kind,
  interfaces,
  count: 0,
});
const summaries = [
  summary('Page', 'interface'),
  summary('Unused', 'interface'),
  summary('Article', 'object', ['Page']),
  summary('Author', 'object', ['Page']),
  summary('Site', 'object'),
];
const types = choosableTypes(summaries, []);
const none: TypeChoice = { readTypes: [], writeTypes: [] };
const choice = (readTypes: string[], writeTypes: string[] = []): TypeChoice => ({ readTypes, writeTypes });

describe('the selectable types', () => {
  it('exclude interfaces without implementing types', () => {
    expect(types.map(({ name }) => name)).toEqual(['Page', 'Article', 'Author', 'Site']);
  });

  it('end with selected types that no longer exist', () => {
    expect(choosableTypes(summaries, ['*', 'Site', 'Old', 'Old']).at(-1)).toMatchObject({
      class: 'Old',
      kind: 'gone',
    });
  });
});

it('a type is selected through its interface or *', () => {
  const article = summary('Article', 'object', ['Page']);
  expect(chosenThrough(article, ['Article'])).toBeUndefined();
  expect(chosenThrough(article, ['Site', 'Page'])).toBe('Page');
  expect(chosenThrough(article, ['*'])).toBe('*');
});

describe('selecting', () => {
  it('a writable type makes it readable too', () => {
    const chosen = { list: 'writeTypes', name: 'Site', isChosen: true } as const;
    expect(choose(none, types, chosen)).toEqual(choice(['Site'], ['Site']));
  });

  it('a type readable through an interface is not listed separately', () => {
    const chosen = { list: 'writeTypes', name: 'Article', isChosen: true } as const;
    expect(choose(choice(['Page']), types, chosen)).toEqual(choice(['Page'], ['Article']));
  });

  it('removing a readable type removes it from the writable types', () => {
    const chosen = { list: 'readTypes', name: 'Page', isChosen: false } as const;
    const before = choice(['Page', 'Author', 'Site'], ['Page', 'Article', 'Author', 'Site']);
    expect(choose(before, types, chosen)).toEqual(choice(['Author', 'Site'], ['Author', 'Site']));
  });

  it('* replaces all other types, and deselecting it clears both lists', () => {
    const all = choose(choice(['Site']), types, { list: 'writeTypes', name: '*', isChosen: true });
    expect(all).toEqual(choice(['*'], ['*']));
    expect(choose(all, types, { list: 'readTypes', name: '*', isChosen: false })).toEqual(none);
  });

  it('a type that no longer exists can be deselected', () => {
    const withGone = choosableTypes(summaries, ['Old']);
    const chosen = { list: 'readTypes', name: 'Old', isChosen: false } as const;
    expect(choose(choice(['Site', 'Old'], ['Old']), withGone, chosen)).toEqual(choice(['Site']));
  });
});
