/**
 * One API of the instance, as the cases use it: requests whose responses are validated, and the resources that the run created
 * and must delete.
 */

import type { Json } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { Violation } from '../case.ts';
import { type Coverage, createCoverage } from '../responses/coverage.ts';
import {
  createResponseValidator,
  type ReceivedResponse,
  type ResponseValidator,
} from '../responses/response-validator.ts';
import type { ContractRequest, Credentials, Sender } from '../responses/send-request.ts';
import { toDocumentedRequest } from '../samples/documented-request.ts';
import type { RandomGenerator } from '../samples/random-generator.ts';
import { createValueGenerator, type ValueGenerator } from '../samples/sample-value.ts';
import { type ContractDocument, documentedStatus, type Operation } from './contract-document.ts';

/** An API of the instance. */
export interface ApiUnderTest {
  readonly document: ContractDocument;
  readonly validator: ResponseValidator;
  readonly coverage: Coverage;
  readonly random: RandomGenerator;
  readonly make: ValueGenerator;
  readonly credentials: Credentials;
  /** The credentials of a client without rights here, or the reason why the run could not create one. */
  limited(): Promise<Credentials | string>;
  /** Sends a request; throws unless the response has one of these statuses and is as documented. */
  call(request: ContractRequest, ...statuses: readonly number[]): Promise<ReceivedResponse>;
  /**
   * Sends a request that must be refused with one of these statuses; throws as `call` does. If the document does not have the first of
   * them for the operation, any status of the range 400 will do.
   */
  refuse(request: ContractRequest, ...statuses: readonly number[]): Promise<ReceivedResponse>;
  /** A valid request; one of an operation that the suite knows changes nothing but the run's own resources. */
  validRequest(operation: Operation): ContractRequest | undefined;
  /** Whether the suite has a request for an operation, beyond what the document says of it. */
  knows(operation: Operation): boolean;
  /** Whether the run may send valid requests of an operation again and again. */
  repeats(operation: Operation): boolean;
  /** Says why the instance does not carry out an operation for this run; `undefined` if it does. */
  unavailable(operation: string): Promise<string | undefined>;
  /** Says why the instance carries out no request in a release for this run; `undefined` if it does. */
  withoutDrafts(): Promise<string | undefined>;
  readonly own: OwnResources;
  /** Whether the run can sign in as a user. */
  readonly hasUser: boolean;
  /** Whether a content type has a unique field. */
  readonly hasUnique: boolean;
  /** The error codes that were received. */
  readonly codes: ReadonlySet<string>;
}

/** The resources that the run created, by path. */
export type OwnResources = ReturnType<typeof createOwnResources>;

/** The number of deletions without a response after which it gives up, since each further one would wait for its timeout. */
const maxUnanswered = 3;

/** Creates the list of a run's resources. */
export function createOwnResources(send: Sender) {
  const deletions = new Map<string, ContractRequest>();

  /** Tries each deletion; returns whether the instance answers. */
  async function deleteEach(): Promise<boolean> {
    let unanswered = 0;
    for (const [path, deletion] of [...deletions].reverse()) {
      const status = await send(deletion).then(
        (response) => response.status,
        () => 0,
      );
      if ((status >= 200 && status < 300) || status === 404) deletions.delete(path);
      if (status === 0 && ++unanswered === maxUnanswered) return false;
    }
    return true;
  }

  return {
    /** Records a resource; `deletion` is given where it is not a plain DELETE. */
    add: (path: string, deletion: ContractRequest = { method: 'DELETE', path }): void =>
      void deletions.set(path, deletion),
    has: (path: string) => deletions.has(path),
    /** Removes a resource that is already deleted. */
    forget: (path: string): void => void deletions.delete(path),
    /**
     * Deletes all recorded resources, the latest first, and tries those that fail again while that deletes any; returns those that
     * could not be deleted.
     */
    async deleteAll(): Promise<readonly string[]> {
      // A deletion can fail because of what another process does at that moment, or of what refers to the asset.
      for (let round = 0, left = deletions.size + 1; round < 2 || deletions.size < left; round++) {
        left = deletions.size;
        if (!(await deleteEach())) break;
      }
      return [...deletions.keys()];
    },
  };
}

/** What an API under test is created from. */
export interface ApiSetup extends Pick<ApiUnderTest, 'document' | 'random' | 'credentials' | 'limited'> {
  readonly send: Sender;
}

/** Creates the API of a document of which the suite knows nothing more; `track` sends the requests of cases. */
export function createApiUnderTest({
  send,
  track = send,
  own = createOwnResources(send),
  ...setup
}: ApiSetup & { readonly track?: Sender; readonly own?: OwnResources }): ApiUnderTest {
  const { document, random } = setup;
  const validator = createResponseValidator(document);
  const coverage = createCoverage(document);
  const codes = new Set<string>();
  const make = createValueGenerator(document);

  async function exchange(request: ContractRequest): Promise<ReceivedResponse> {
    const response = { ...(await track(request)), isPartial: selectsFields(request) };
    coverage.record(request, response);
    const code = memberOf(response.body, 'error', 'code') ?? memberOf(response.body, 'code');
    if (typeof code === 'string') codes.add(code);
    return response;
  }

  const call: ApiUnderTest['call'] = async (request, ...statuses) => {
    const response = await exchange(request);
    const problems = [...validator.validate(request.method, request.path, response)];
    if (statuses.length > 0 && !statuses.includes(response.status)) {
      problems.unshift(`the status is ${response.status}, not ${nameStatuses(statuses)}`);
    }
    if (problems.length === 0) return response;
    const expected = statuses.length > 0 ? `status ${nameStatuses(statuses)}` : 'a response as documented';
    throw new Violation({ message: problems.join('; '), request, expected, received: response });
  };

  return {
    ...setup,
    validator,
    coverage,
    make,
    own,
    codes,
    call,
    async refuse(request, ...statuses) {
      const operation = document.operationOf(request.method, request.path);
      const [first = 400] = statuses;
      if (operation && documentedStatus(operation, first)) return call(request, ...statuses);
      const received = await exchange(request);
      if (received.status >= 400 && received.status < 500) return received;
      const message = `the status is ${received.status}, not ${nameStatuses(statuses)}`;
      throw new Violation({ message, request, expected: 'a status of the range 400', received });
    },
    unavailable: async () => undefined,
    withoutDrafts: async () => undefined,
    hasUser: false,
    hasUnique: false,
    knows: () => false,
    repeats: () => true,
    validRequest: (operation) => toDocumentedRequest(operation, { make, random }),
  };
}

/** Names statuses, such as `200 or 404`, or many by their range. */
const nameStatuses = (statuses: readonly number[]) =>
  [...new Set(statuses.map((status) => (statuses.length < 9 ? status : `${String(status)[0]}XX`)))].join(
    ' or ',
  );

/** Whether a request selects the fields of assets in the response. */
const selectsFields = ({ query = [], body }: ContractRequest) =>
  query.some(([name]) => name === 'fields') ||
  (memberOf(body, 'from') !== undefined && memberOf(body, 'fields') !== undefined);

/** Lists the paths in the body of an error, which is the CMA's envelope or problem details. */
export function errorPathsOf(body: unknown): readonly string[] {
  if (!isJsonObject(body)) return [];
  const reason = isJsonObject(body.error) ? body.error : body;
  const problems = Array.isArray(reason.problems) ? reason.problems : [];
  const paths = problems.map((problem) => (isJsonObject(problem) ? problem.path : undefined));
  return [reason.path, ...paths].filter((path) => typeof path === 'string');
}

/** Gets the member of a body at a path of names. */
export function memberOf(body: unknown, ...names: readonly string[]): Json | undefined {
  // Bodies are parsed JSON, validated before they are read.
  let value = body as Json | undefined;
  for (const name of names) value = isJsonObject(value) ? value[name] : undefined;
  return value;
}

/** Returns the first item of a list of a body. */
export const firstOf = (list: Json | undefined): Json | undefined =>
  Array.isArray(list) ? list[0] : undefined;
