import { expect, it } from 'vitest';
import { createNamer } from '../../../src/text/free-name.ts';

it('numbers names that are wanted again, whatever their letter case', () => {
  const name = createNamer();
  expect(['byId', 'ById', 'byid2', 'byId'].map(name)).toEqual(['byId', 'ById2', 'byid22', 'byId3']);
});

it('keeps clear of names that are taken', () => {
  const name = createNamer({ taken: ['Text'] });
  expect([name('Text'), name('Article')]).toEqual(['Text2', 'Article']);
});

it('counts as the same what has the same key', () => {
  const name = createNamer({ toKey: (text) => text.replaceAll('_', '') });
  expect([name('my_type'), name('mytype'), name('MyType')]).toEqual(['my_type', 'mytype2', 'MyType']);
});
