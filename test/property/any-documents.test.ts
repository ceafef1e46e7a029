/** As `any-document.test.ts`, for many documents. */
import fc from 'fast-check';
import { it } from 'vitest';
import { checkDocument } from '../support/check-document.ts';
import { sampleOperations } from '../support/random-documents.ts';

it('takes ten documents with twenty more operations each', () =>
  fc.assert(fc.asyncProperty(sampleOperations, checkDocument), { numRuns: 10, endOnFailure: true }));
