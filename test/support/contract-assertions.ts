/**
 * Assertions that every answer a test receives is documented in an OpenAPI document. The check itself is
 * `src/contract/responses/response-validator.ts`. A suite also learns which documented responses it never received.
 */
import { expect } from 'vitest';
import { readContractDocument } from '../../src/contract/apis/contract-document.ts';
import {
  createResponseValidator,
  type ReceivedResponse,
} from '../../src/contract/responses/response-validator.ts';
import type { OpenApiDocument } from '../../src/documents/openapi-document.ts';
import type { JsonObject } from '../../src/model/content-type.ts';

export type { ReceivedResponse };

/** A response whose headers may be lists of values. */
type RepeatedHeaders = Omit<ReceivedResponse, 'headers'> & {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** Assertions on answers, by one OpenAPI document. */
export interface ContractAssertions {
  /** Fails the test when the document does not describe the response. */
  assertDocumented(method: string, path: string, response: RepeatedHeaders): void;
  /**
   * Lists the documented responses that no test received, as `operation status`. An operation that was answered 501, because the
   * store keeps no change log, need not give its other responses; no test can provoke a 501 from a store that keeps one.
   */
  unseen(): string[];
}

/** Creates the assertions for one document. */
export function createContractAssertions(document: OpenApiDocument): ContractAssertions {
  // The document is JSON, but its OpenAPI type does not say so.
  const validator = createResponseValidator(readContractDocument(document as unknown as JsonObject));
  return {
    assertDocumented(method, path, response) {
      // supertest gives a list for a header that may be repeated.
      const headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, value && String(value)]),
      );
      const problems = validator.validate(method, path, { ...response, headers });
      expect(problems, `${method} ${path} ${response.status}: ${JSON.stringify(response.body)}`).toEqual([]);
    },
    unseen() {
      const unseen = validator.unseen();
      const supported = new Set(
        unseen.filter(({ status }) => status === '501').map(({ operation }) => operation),
      );
      return unseen
        .filter(
          ({ operation, status }) =>
            status !== '501' && (supported.has(operation) || !operation.responses.has('501')),
        )
        .map(({ operation, status }) => `${operation.id} ${status}`);
    },
  };
}
