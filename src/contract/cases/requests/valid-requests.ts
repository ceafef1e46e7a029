/**
 * Valid requests: each gets a response as documented, also with each parameter that is optional, and without a body that is optional.
 */
import type { ApiUnderTest } from '../../apis/api-under-test.ts';
import type { Operation, Parameter } from '../../apis/contract-document.ts';
import { type CaseGroup, toCase } from '../../case.ts';
import type { ContractRequest } from '../../responses/send-request.ts';
import { withParameter } from '../../samples/documented-request.ts';
import { typesOf } from '../../samples/sample-value.ts';
import { acceptsClients } from './credentials.ts';

/** Yields the cases of every operation whose requests leave the run's resources usable. */
export function* validRequestCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations) {
    if (operation.method === '' || !api.repeats(operation) || !acceptsClients(api, operation)) continue;
    const { body, parameters } = operation;
    const isKnown = api.knows(operation);
    const valid = (
      title: string,
      mayRefuse: boolean,
      change: (request: ContractRequest) => ContractRequest,
    ) =>
      toCase(operation.id, `${successKeys(operation).join(' or ') || 'any response'} ${title}`, async () => {
        const skipped = await api.unavailable(operation.id);
        if (skipped !== undefined) return { skipped };
        const request = api.validRequest(operation);
        if (!request) return { skipped: 'the run has no resource for this request' };
        const successes = successesOf(api, operation);
        const others = [...(operation.responses.has('501') ? [501] : []), ...(mayRefuse ? range(4) : [])];
        const { status } = await api.call(change(request), ...successes, ...others);
        return status === 501 ? { skipped: 'the instance does not support it' } : undefined;
      });
    yield valid('to a valid request', false, (request) => request);
    // What an operation that the suite knows allows with its own request, only its cases know.
    if (body?.required === false)
      yield valid('without a body', isKnown, ({ body: _, raw: __, ...request }) => request);
    for (const parameter of parameters.filter((one) => !one.required && isSafe(operation, one))) {
      yield valid(`with ${parameter.in} ${parameter.name}`, isKnown || isVague(parameter), (request) =>
        withParameter(request, parameter, api),
      );
    }
  }
}

/** The statuses of success of an operation, as the document has them: redirections only where there are no others. */
function successKeys({ responses }: Operation): readonly string[] {
  const [done, moved] = ['2', '3'].map((digit) =>
    [...responses.keys()].filter((key) => key.startsWith(digit)),
  );
  return done?.length ? done : (moved ?? []);
}

/**
 * The statuses that a valid request may get: those of success, or any if the document has none. What the path of an operation that
 * the suite does not know names need not exist.
 */
export function successesOf(api: ApiUnderTest, operation: Operation): readonly number[] {
  const { path, responses } = operation;
  const keys = successKeys(operation);
  const ofDefault = responses.has('default') ? [...range(2), ...range(3)] : [];
  if (keys.length === 0) return [...ofDefault, ...range(4), ...range(5)];
  const successes = keys.flatMap((key) => (key.endsWith('XX') ? range(Number(key[0])) : [Number(key)]));
  return [...successes, ...ofDefault, ...(path.includes('{') && !api.knows(operation) ? [404] : [])];
}

const range = (digit: number) => Array.from({ length: 100 }, (_, index) => digit * 100 + index);

/** Whether the document leaves open what texts an instance accepts. */
const isVague = ({ example, schema }: Parameter) =>
  example === undefined && schema.enum === undefined && typesOf(schema)[0] === 'string';

/** A write to a release would leave a draft behind. */
const isSafe = ({ parameters }: Operation, { name }: Parameter) =>
  name !== 'release' || !parameters.some((other) => other.name === 'X-Run');
