/**
 * The origin of a request: its sender, and the run that its writes belong to.
 */
import { invalidParameter } from '../../base/errors.ts';
import { type Actor, type RequestOrigin, runNamePattern } from '../../base/request-origin.ts';
import type { Request } from './http-request.ts';
import type { RequestLocals } from './request-locals.ts';

/**
 * Reads the origin of a request whose sender is known. Reading requests belong to no run.
 *
 * Errors: invalid_parameter when X-Run is malformed, or sent without credentials.
 */
export function readOrigin(request: Request, locals: RequestLocals): RequestOrigin {
  const { requestId, clientAddress, continueWork } = locals;
  const work = continueWork && { continueWork };
  const run = isReading(request) ? undefined : request.headers['x-run']?.toString();
  const by = toActor(locals);
  if (run === undefined)
    return by.kind === 'anonymous'
      ? { by, requestId, address: clientAddress, ...work }
      : { by, requestId, ...work };
  if (by.kind === 'anonymous') throw invalidParameter('X-Run', 'needs credentials, which are not used here');
  if (!runNamePattern.test(run)) {
    throw invalidParameter(
      'X-Run',
      'must be 1 to 64 characters: letters, digits, ".", "_" and "-", but not "." or ".."',
    );
  }
  return { by, run, requestId, ...work };
}

function toActor({ client, user }: RequestLocals): Actor {
  if (client) return { kind: 'client', id: client.clientId, name: client.name };
  if (user) return { kind: 'user', id: user.id, name: user.email };
  return { kind: 'anonymous' };
}

const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD';
