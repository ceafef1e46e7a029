/**
 * Spans of distributed traces: one for each request, and in it one for each call of the store. `app/tracing/` makes them with
 * OpenTelemetry, if the program has an SDK.
 */

/** A request whose span begins. */
export interface TracedRequest {
  readonly method: string;
  /** Without the query string, which may be confidential. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly clientAddress: string | undefined;
  readonly userAgent: string | undefined;
}

/** How a request ended. */
export interface TracedEnd {
  /** Absent when no route was found. */
  readonly route: string | undefined;
  /** Absent when the client disconnected before the end of the response. */
  readonly status: number | undefined;
}

export interface RequestSpan {
  readonly traceId: string;
  /** Runs work within the span, also all asynchronous work that it starts. */
  run<Result>(work: () => Result): Result;
  end(end: TracedEnd): void;
}

/** A call of the store whose span begins. */
export interface TracedCall {
  /** The name of the database system. */
  readonly system: string;
  readonly operation: string;
}

/** Makes spans. */
export interface Tracing {
  /** Begins the span of a request, as a part of the trace that the request names. */
  beginRequest(request: TracedRequest): RequestSpan;
  /** Begins the span of a call of the store, and returns what ends it; `undefined` outside requests. */
  beginCall(call: TracedCall): ((errorType?: string) => void) | undefined;
}
