/** Searches on MongoDB that indexes bound. The test server runs one thing at a time, and answers them in time only when nothing else uses it. */
import { describe } from 'vitest';
import { describeIndexedSearches } from '../contract/store/budget-cases.ts';
import { mongoHarness } from '../contract/store/mongo-harness.ts';
import { mongodbUrl } from '../support/mongo-url.ts';

const serverUrl = mongodbUrl();

describe.skipIf(serverUrl === '')('searches with an index on MongoDB', () =>
  describeIndexedSearches(mongoHarness(serverUrl)),
);
