import { expect, it } from 'vitest';
import { createNamer } from '../../../src/text/free-name.ts';

it('numbers repeated names, ignoring letter case', () => {
  const name = createNamer();
  expect(['byId', 'ById', 'byid2', 'byId'].map(name)).toEqual(['byId', 'ById2', 'byid22', 'byId3']);
});

it('avoids names that are already taken', () => {
  const name = createNamer({ taken: ['Text'] });
  expect([name('Text'), name('Article')]).toEqual(['Text2', 'Article']);
});

it('treats names with the same key as equal', () => {
  const name = createNamer({ toKey: (text) => text.replaceAll('_', '') });
  expect([name('my_type'), name('mytype'), name('MyType')]).toEqual(['my_type', 'mytype2', 'MyType']);
});
