/**
 * One API of the instance, as the cases use it: requests whose responses are validated, and the resources that the run created
 * and must delete.
 */

import type { Json } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { Violation } from '../case.ts';
import type { Coverage } from '../responses/coverage.ts';
import type { ReceivedResponse, ResponseValidator } from '../responses/response-validator.ts';
import type { ContractRequest, Credentials, Sender } from '../responses/send-request.ts';
import type { RandomGenerator } from '../samples/random-generator.ts';
import type { ValueGenerator } from '../samples/sample-value.ts';
import type { ContractDocument, Operation } from './contract-document.ts';

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
  /** A valid request of an operation that changes nothing but the run's own resources. */
  validRequest(operation: Operation): ContractRequest | undefined;
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
export interface OwnResources {
  /** Records a resource; `deletion` is given where it is not a plain DELETE. */
  add(path: string, deletion?: ContractRequest): void;
  has(path: string): boolean;
  /** Removes a resource that is already deleted. */
  forget(path: string): void;
  /**
   * Deletes all recorded resources, the latest first, and tries those that fail once more; returns those that could not be
   * deleted.
   */
  deleteAll(): Promise<readonly string[]>;
}

/** The number of deletions without a response after which it gives up, since each further one would wait for its timeout. */
const maxUnanswered = 3;

/** Creates the list of a run's resources. */
export function createOwnResources(send: Sender): OwnResources {
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
    add: (path, deletion = { method: 'DELETE', path }) => void deletions.set(path, deletion),
    has: (path) => deletions.has(path),
    forget: (path) => void deletions.delete(path),
    async deleteAll() {
      // A deletion can fail because of what another process does at that moment.
      if (await deleteEach()) await deleteEach();
      return [...deletions.keys()];
    },
  };
}

/** Creates the function that sends the requests of cases, records them, and validates responses against the document. */
export function createCall({
  send,
  validator,
  coverage,
}: {
  send: Sender;
  validator: ResponseValidator;
  coverage: Coverage;
}): ApiUnderTest['call'] {
  return async (request, ...statuses) => {
    const response = { ...(await send(request)), isPartial: selectsFields(request) };
    coverage.record(request, response);
    const problems = [...validator.validate(request.method, request.path, response)];
    if (statuses.length > 0 && !statuses.includes(response.status)) {
      problems.unshift(`the status is ${response.status}, not ${statuses.join(' or ')}`);
    }
    if (problems.length === 0) return response;
    const expected = statuses.length > 0 ? `status ${statuses.join(' or ')}` : 'a response as documented';
    throw new Violation({ message: problems.join('; '), request, expected, received: response });
  };
}

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
