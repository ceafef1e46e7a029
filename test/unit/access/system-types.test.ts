import { expect, it } from 'vitest';
import { loadSystemTypes, readSystemSources } from '../../../src/access/system-types.ts';
import { loadTypes } from '../../../src/types/load-types.ts';

it('the types of system records obey the rules of GraphQL, which are not checked when a process starts', () => {
  const names = [...loadTypes(readSystemSources()).types.keys()];
  expect([...loadSystemTypes().types.keys()]).toEqual(names);
});
