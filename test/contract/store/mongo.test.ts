/** The store contract on MongoDB. */
import { describe } from 'vitest';
import { mongodbUrl } from '../../support/mongo-url.ts';
import { mongoHarness } from './mongo-harness.ts';
import { describeContentStore } from './store-suite.ts';

const serverUrl = mongodbUrl();

describe.skipIf(serverUrl === '')('with a server', () => {
  describeContentStore('MongoDB', mongoHarness(serverUrl));
});
