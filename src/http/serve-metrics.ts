/**
 * Serves `/metrics` in the text format of Prometheus, to API clients with the scope `metrics`.
 *
 * The limit of requests does not apply, so that an overloaded server still reports its load.
 */
import type { Authenticator } from '../access/authenticator.ts';
import { assertScope } from '../access/clients/scopes.ts';
import { methodNotAllowed, routeNotFound } from '../base/errors.ts';
import type { Metric } from '../base/metrics/metric.ts';
import { metricsMediaType, printMetrics } from '../base/metrics/print-metrics.ts';
import { authenticateClients } from './credentials/authenticate.ts';
import type { RequestHandler, RequestLocals } from './request/request-head.ts';
import { sendText } from './response/send-response.ts';

const metricsPath = '/metrics';

/** Creates the handler of `/metrics`. `collect` returns the metrics of the server. */
export function serveMetrics({
  authenticator,
  collect,
}: {
  authenticator: Authenticator;
  collect: () => Promise<readonly Metric[]>;
}): RequestHandler {
  const authenticate = authenticateClients(authenticator);
  return async (request, response) => {
    // The application sets these members.
    const locals = response.locals as RequestLocals;
    if (locals.path !== metricsPath) throw routeNotFound(locals.path);
    locals.route = metricsPath;
    assertScope((await authenticate(request, locals)).client, 'metrics');
    if (!['GET', 'HEAD'].includes(request.method)) throw methodNotAllowed(request.method, ['GET', 'HEAD']);
    const headers = { 'Content-Type': metricsMediaType, 'Cache-Control': 'no-store' };
    sendText(response, { status: 200, headers, text: printMetrics(await collect()) });
  };
}
