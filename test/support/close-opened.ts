/** Runs before each test file: closes after it what its tests have opened. */
import { afterAll } from 'vitest';
import { closeOpened } from './opened.ts';

afterAll(closeOpened);
