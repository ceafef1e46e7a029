/** Whatever operations a document has, codegen and the server take them; `any-documents.test.ts` tries more of them. */
import fc from 'fast-check';
import { it } from 'vitest';
import { checkDocument } from '../support/check-document.ts';
import { sampleOperations } from '../support/random-documents.ts';

it('takes a document with twenty more operations', () =>
  fc.assert(fc.asyncProperty(sampleOperations, checkDocument), { numRuns: 1, endOnFailure: true }));
