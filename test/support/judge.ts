/**
 * Has answers judged by an OpenAPI document (`src/contract/responses/response-validator.ts`) and fails a test that received one it does not document.
 * The ledger tells a suite what it never exercised.
 */
import { expect } from 'vitest';
import { readContractDocument } from '../../src/contract/apis/contract-document.ts';
import {
  createResponseValidator,
  type ReceivedAnswer,
} from '../../src/contract/responses/response-validator.ts';
import type { OpenApiDocument } from '../../src/documents/openapi-document.ts';
import type { JsonObject } from '../../src/model/content-type.ts';

export type { ReceivedAnswer };

/** Judges answers by one document. */
export interface Judge {
  judge(method: string, path: string, answer: ReceivedAnswer): void;
  /** Documented answers that were never seen, as `operation status`. */
  unseen(): string[];
}

/** Makes the judge of a document's answers. */
export function createJudge(document: OpenApiDocument): Judge {
  // A document is JSON, which its type for OpenAPI does not say.
  const contract = createResponseValidator(readContractDocument(document as unknown as JsonObject));
  return {
    judge(method, path, answer) {
      // A header that may come several times is a list to supertest.
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, value && String(value)]),
      );
      const problems = contract.validate(method, path, { ...answer, headers });
      expect(problems, `${method} ${path} ${answer.status}: ${JSON.stringify(answer.body)}`).toEqual([]);
    },
    unseen: () => contract.unseen().map(({ operation, status }) => `${operation.id} ${status}`),
  };
}
