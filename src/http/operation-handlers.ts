/**
 * The types of the handlers of a document's operations, which follow from the generated types: nothing else says what a handler takes and
 * returns.
 */
import type { DeepReadonly } from '../base/deep-readonly.ts';
import type { CheckedBody } from '../model/values/checked-body.ts';
import type { UploadBody } from './request/read-body.ts';
import type { SenderFields } from './request/request-telemetry.ts';
import type { LiveBody } from './response/event-stream.ts';
import type { StreamedBody } from './response/streamed-body.ts';

/** The generated types of one operation. */
export interface OperationTypes {
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly responses: object;
  readonly responseHeaders: object;
}

/** Parameters as received: strings, and for a list one string or several. */
type Texts<Parameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends readonly unknown[] | undefined
    ? string | readonly string[] | Extract<Parameters[Name], undefined>
    : string | Extract<Parameters[Name], undefined>;
};

/** Headers by lower-case name. */
type HeaderTexts<Headers> = { readonly [Name in keyof Headers as Lowercase<Name & string>]?: string };

/** The body of an operation as its handler receives it: one that the document calls binary is not read yet. */
type BodyOf<Types extends OperationTypes> = UploadsIn<Types['body']>;
type UploadsIn<Body> = Body extends Blob ? UploadBody : Body;

/** A validated request of one operation, with the members that authentication adds about its sender. */
export type OperationRequest<
  Operation extends OperationTypes,
  Sender extends object,
  Body = BodyOf<Operation>,
> = Sender & {
  /** Identifies the sender in log lines. */
  readonly senderFields: SenderFields;
  /** Aborted when the client disconnects before the response is complete. */
  readonly signal: AbortSignal;
  readonly path: Texts<Operation['path']>;
  readonly query: Texts<NonNullable<Operation['query']>>;
  readonly headers: HeaderTexts<NonNullable<Operation['headers']>>;
  /** The header Content-Type, which no document lists as a parameter; empty for a request without one. */
  readonly contentType: string;
  /** Validated against the document only. The service behind the handler checks the members. */
  readonly body: Body;
};

/**
 * A response that the document defines for an operation. `HeaderNames` are those of all responses of the document: one that this response
 * lacks does not compile, nor does a body that is absent or that the document does not have.
 */
export type OperationResponse<Operation extends OperationTypes, HeaderNames extends string = never> = {
  [Status in keyof Operation['responses'] & number]: {
    readonly status: Status;
    readonly headers?: HeadersOf<Operation['responseHeaders'], Status, HeaderNames>;
    readonly usedTypes?: UsedTypes;
  } & ContentOf<Operation['responses'][Status]>;
}[keyof Operation['responses'] & number];

/** The headers that the document has for a status, and none of the others in `Names`. It is one type, as the compiler requires a common member then. */
type HeadersOf<Headers, Status, Names extends string> = {
  readonly [Name in Documented<Headers, Status> | Names]?: Name extends Documented<Headers, Status>
    ? string | string[]
    : never;
};

/** What the content is, and what the server chose it by, belong to the content: the document does not list these headers. */
type Documented<Headers, Status> =
  | Extract<Status extends keyof Headers ? Headers[Status] : never, string>
  | 'Content-Type'
  | 'Vary';

/** The body of a response, in one of its forms. */
type ContentOf<Body> =
  // A response without a body may have the text that the same response with one has, which decides its headers.
  | ([Body] extends [undefined]
      ? { readonly body?: undefined; readonly text?: string }
      : { readonly body: DeepReadonly<Exclude<Body, Blob>> })
  /** The body as JSON text. It has the same form. */
  | { readonly body?: undefined; readonly text: string }
  /** A body that is read while it is sent. It has the same form. */
  | { readonly body?: undefined; readonly stream: StreamedBody }
  /** A live feed, in another media type. */
  | { readonly body?: undefined; readonly live: LiveBody };

/**
 * The handlers of a document's operations, by operation ID. Handlers in `InvalidBody` also receive the problems of an invalid
 * body, so that their services can report these together with the problems that they find.
 */
export type OperationHandlers<
  Operations extends { [Id in keyof Operations]: OperationTypes },
  Sender extends object,
  InvalidBody extends keyof Operations = never,
> = {
  readonly [Id in keyof Operations]: (
    request: OperationRequest<
      Operations[Id],
      Sender,
      Id extends InvalidBody ? CheckedBody : BodyOf<Operations[Id]>
    >,
  ) => Promise<OperationResponse<Operations[Id], HeaderNamesOf<Operations[keyof Operations]>>>;
};

type HeaderNamesOf<Operation extends OperationTypes> = Operation extends unknown
  ? Extract<Operation['responseHeaders'][keyof Operation['responseHeaders']], string>
  : never;

/** Class names of the content types that a request has read or written, as far as they are counted. */
export type UsedTypes = readonly string[];
