/**
 * Makes spans with OpenTelemetry. The program brings the SDK and with it the package `@opentelemetry/api`; without an SDK nothing is
 * loaded, and no request does anything for spans.
 */
import type * as OpenTelemetry from '@opentelemetry/api';
import { readVersion } from '../../base/package-root.ts';
import type { Logger } from '../../base/runtime.ts';
import type { RequestSpan, TracedCall, TracedEnd, TracedRequest, Tracing } from '../../base/tracing.ts';

/** The place in which every copy and version 1 of the package finds the SDK that is registered. */
const registered = Symbol.for('opentelemetry.js.api.1');

/** Opens the tracing of a process; `undefined` when no SDK is registered. */
export async function openTracing(logger: Logger): Promise<Tracing | undefined> {
  // The package stores its registrations as a property of `globalThis`, whose type does not have it.
  const sdk = (globalThis as { [registered]?: { readonly trace?: unknown } })[registered];
  if (sdk?.trace === undefined) return undefined;
  try {
    return createTracing(await import('@opentelemetry/api'));
  } catch (err) {
    logger.warn({ err }, 'there are no spans, because the package @opentelemetry/api cannot be loaded');
    return undefined;
  }
}

function createTracing(api: typeof OpenTelemetry): Tracing {
  const { context, propagation, trace, SpanKind, SpanStatusCode } = api;
  const tracer = trace.getTracer('colophon', readVersion());

  /** Finds the span that an instrumentation of `node:http` has begun for the current request. */
  function findServerSpan(): OpenTelemetry.Span | undefined {
    const span = trace.getActiveSpan();
    const isServer = span && 'kind' in span && span.kind === SpanKind.SERVER && span.isRecording();
    return isServer ? span : undefined;
  }

  function startServerSpan({ method, path, headers, clientAddress, userAgent }: TracedRequest) {
    const attributes = {
      'http.request.method': method,
      'url.path': path,
      'client.address': clientAddress,
      'user_agent.original': userAgent,
    };
    const parent = propagation.extract(api.ROOT_CONTEXT, headers);
    return { parent, span: tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent) };
  }

  function describeEnd(span: OpenTelemetry.Span, method: string, { route, status }: TracedEnd): void {
    if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    if (status !== undefined && status < 500) return;
    span.setAttribute('error.type', status === undefined ? 'aborted' : String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }

  return {
    beginRequest(request): RequestSpan {
      const found = findServerSpan();
      const { parent, span } = found ? { parent: context.active(), span: found } : startServerSpan(request);
      const within = trace.setSpan(parent, span);
      return {
        traceId: span.spanContext().traceId,
        run: (work) => context.with(within, work),
        end(end) {
          describeEnd(span, request.method, end);
          if (!found) span.end();
        },
      };
    },
    beginCall({ system, operation }: TracedCall) {
      if (trace.getActiveSpan() === undefined) return undefined;
      const attributes = { 'db.system.name': system, 'db.operation.name': operation };
      const span = tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes });
      return (errorType) => {
        if (errorType !== undefined) {
          span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      };
    },
  };
}
