/**
 * Sends responses compressed, if they are longer than 1 KiB and the request accepts that.
 *
 * For requests that another site cannot make a browser send. Where it can, as with a GET and the session cookie of the admin API, an
 * attacker could learn secrets of the response from how well they compress beside text of the attacker.
 */
import type { HttpResponse } from '../error-map.ts';
import type { Response } from '../request/http-request.ts';
import { type Coding, compress, createCodingChooser, uncompressedBytes } from './content-coding.ts';
import { sendData, sendResponse, sendStream, sendText } from './send-response.ts';
import type { StreamedBody } from './streamed-body.ts';

/** A response with its body in at most one of three forms. */
export interface SendableResponse extends HttpResponse {
  /** JSON text. */
  readonly text?: string | undefined;
  readonly stream?: StreamedBody | undefined;
}

/** Sends a response. Errors: those of reading a stream. */
export type Sender = (response: Response, content: SendableResponse) => void | Promise<void>;

/** Sends a response as it is. */
export const sendPlain: Sender = (response, { text, stream, ...head }) => {
  if (text !== undefined) return sendText(response, { ...head, text });
  return stream ? sendStream(response, { ...head, stream }) : sendResponse(response, head);
};

/** Creates a sender that compresses. A 304 has no body: its text only tells which headers the response with a body has. */
export function createCompressingSender(): Sender {
  const chooseCoding = createCodingChooser();
  return (response, { body, stream, ...content }) => {
    const { text = body === undefined ? undefined : JSON.stringify(body), ...head } = content;
    const isLong = stream !== undefined || (text !== undefined && isLongText(text));
    const coding = isLong ? chooseCoding(response.req.headers['accept-encoding']?.toString()) : undefined;
    const coded = isLong ? { ...head, headers: toCodedHeaders(head.headers, coding) } : head;
    if (head.status === 304) return sendResponse(response, coded);
    if (!coding) return sendPlain(response, { ...coded, text, stream });
    const encoded = { ...coded, headers: { ...coded.headers, 'Content-Encoding': coding } };
    if (stream) return sendStream(response, { ...encoded, stream, coding });
    return compress(text ?? '', coding).then((data) =>
      sendData(response, { ...encoded, data, byteLength: data.length }),
    );
  };
}

const isLongText = (text: string) =>
  text.length > uncompressedBytes || Buffer.byteLength(text) > uncompressedBytes;

type Headers = NonNullable<HttpResponse['headers']>;

/** The bytes of a compressed response differ from those of the plain one, so its ETag is weak. */
function toCodedHeaders({ ETag, ...headers }: Headers = {}, coding: Coding | undefined): Headers {
  return {
    ...headers,
    ...(ETag === undefined ? {} : { ETag: coding ? weaken(String(ETag)) : ETag }),
    Vary: headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding`,
  };
}

const weaken = (tag: string) => (tag.startsWith('W/') ? tag : `W/${tag}`);
