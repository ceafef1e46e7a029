/**
 * One API of the instance, as the cases use it: requests whose answers are judged, and what the run has made there and must
 * take away again.
 */
import type { Json } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/validate-asset.ts';
import { Violation } from '../case.ts';
import type { Judge, ReceivedAnswer } from '../responses/response-validator.ts';
import type { ContractRequest, Credentials, Sender } from '../responses/send-request.ts';
import type { Draw } from '../samples/random-generator.ts';
import type { ValueMaker } from '../samples/sample-value.ts';
import type { ContractDocument, Operation } from './contract-document.ts';

/** An API of the instance. */
export interface ApiUnderTest {
  readonly document: ContractDocument;
  readonly judge: Judge;
  readonly draw: Draw;
  readonly make: ValueMaker;
  readonly credentials: Credentials;
  /** A client without any right here, if the run could make one; else why not. */
  limited(): Promise<Credentials | string>;
  /** Sends a request; fails unless the answer has one of these statuses and is what the document says. */
  call(request: ContractRequest, ...statuses: readonly number[]): Promise<ReceivedAnswer>;
  /** A request of an operation that has nothing wrong with it and changes nothing of what others own. */
  sound(operation: Operation): ContractRequest | undefined;
  readonly own: OwnResources;
  /** Whether the run can sign in as a user. */
  readonly hasUser: boolean;
  /** Whether a content type has a unique field. */
  readonly hasUnique: boolean;
  /** The codes of the errors that were answered. */
  readonly codes: ReadonlySet<string>;
}

/** What the run has made, by its paths. */
export interface OwnResources {
  /** Notes it; what deletes it, where that is not just DELETE. */
  add(path: string, deletion?: ContractRequest): void;
  has(path: string): boolean;
  /** It is gone already. */
  forget(path: string): void;
  /** Deletes all that is left, the latest first; what could not be deleted is returned. */
  deleteAll(): Promise<readonly string[]>;
}

/** So many deletions without an answer end the attempt: each would wait for its time limit. */
const maxUnanswered = 3;

/** Begins the list of what a run has made. */
export function createOwnResources(send: Sender): OwnResources {
  const deletions = new Map<string, ContractRequest>();
  return {
    add: (path, deletion = { method: 'DELETE', path }) => void deletions.set(path, deletion),
    has: (path) => deletions.has(path),
    forget: (path) => void deletions.delete(path),
    async deleteAll() {
      let unanswered = 0;
      for (const [path, deletion] of [...deletions].reverse()) {
        const status = await send(deletion).then(
          (answer) => answer.status,
          () => 0,
        );
        if ((status >= 200 && status < 300) || status === 404) deletions.delete(path);
        if (status === 0 && ++unanswered === maxUnanswered) break;
      }
      return [...deletions.keys()];
    },
  };
}

/** Makes the calls of an API: each answer is judged by its document. */
export function createCall({ send, judge }: { send: Sender; judge: Judge }): ApiUnderTest['call'] {
  return async (request, ...statuses) => {
    const answer = await send(request);
    const problems = [...judge.judge(request.method, request.path, answer)];
    if (statuses.length > 0 && !statuses.includes(answer.status)) {
      problems.unshift(`the status is ${answer.status}, not ${statuses.join(' or ')}`);
    }
    if (problems.length === 0) return answer;
    const expected = statuses.length > 0 ? `status ${statuses.join(' or ')}` : 'an answer as documented';
    throw new Violation({ message: problems.join('; '), request, expected, received: answer });
  };
}

/** The places in a request that an error's body names, in the CMA's envelope or as a problem. */
export function placesOf(body: unknown): readonly string[] {
  if (!isJsonObject(body)) return [];
  const reason = isJsonObject(body.error) ? body.error : body;
  const problems = Array.isArray(reason.problems) ? reason.problems : [];
  const paths = problems.map((problem) => (isJsonObject(problem) ? problem.path : undefined));
  return [reason.path, ...paths].filter((path) => typeof path === 'string');
}

/** The member of a body that a chain of names leads to. */
export function memberOf(body: unknown, ...names: readonly string[]): Json | undefined {
  // Bodies come from JSON, and are judged before anyone looks into them.
  let value = body as Json | undefined;
  for (const name of names) value = isJsonObject(value) ? value[name] : undefined;
  return value;
}
