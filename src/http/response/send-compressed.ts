/**
 * Sends responses compressed, if they are longer than 1 KiB and the request accepts that.
 *
 * For APIs whose credentials no browser adds by itself. Where it does, as the session cookie of the admin API, an attacker could make
 * it send requests, and learn secrets of the response from how well they compress beside text of the attacker.
 */
import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../error-map.ts';
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
export type Sender = (response: ServerResponse, content: SendableResponse) => void | Promise<void>;

/** Sends a response as it is. */
export const sendPlain: Sender = (response, { text, stream, ...head }) => {
  if (text !== undefined) return sendText(response, { ...head, text });
  return stream ? sendStream(response, { ...head, stream }) : sendResponse(response, head);
};

/** Creates a sender that compresses. */
export function createCompressingSender(): Sender {
  const chooseCoding = createCodingChooser();
  return (response, content) => {
    const { body, stream, ...head } = content;
    const text = body === undefined ? content.text : JSON.stringify(body);
    const isLong = stream !== undefined || (text !== undefined && isLongText(text));
    if (!isLong)
      return sendPlain(response, text === undefined ? withClientTag(response, head) : { ...head, text });
    const coding = chooseCoding(response.req.headers['accept-encoding']?.toString());
    const headers = toCodedHeaders(response, head.headers, coding);
    if (stream) return sendStream(response, { ...head, headers, stream, coding });
    if (text === undefined || !coding) return sendPlain(response, { ...head, headers, text });
    return compress(text, coding).then((data) =>
      sendData(response, { ...head, headers, data, byteLength: data.length }),
    );
  };
}

const isLongText = (text: string) =>
  text.length > uncompressedBytes || Buffer.byteLength(text) > uncompressedBytes;

type Headers = NonNullable<HttpResponse['headers']>;

/** The bytes of a compressed response differ from those of the plain one, so its ETag is weak. */
function toCodedHeaders(
  response: ServerResponse,
  { ETag, ...headers }: Headers = {},
  coding: Coding | undefined,
): Headers {
  const vary = headers.Vary ?? response.getHeader('Vary');
  return {
    ...headers,
    ...(ETag === undefined ? {} : { ETag: coding ? weaken(String(ETag)) : ETag }),
    ...(coding ? { 'Content-Encoding': coding } : {}),
    Vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
  };
}

/** Makes the ETag of a 304 weak if the client has the compressed response. */
function withClientTag(response: ServerResponse, { headers = {}, ...head }: HttpResponse): HttpResponse {
  const weakTag = weaken(String(headers.ETag));
  const isWeak = head.status === 304 && response.req.headers['if-none-match']?.includes(weakTag) === true;
  return { ...head, headers: isWeak ? { ...headers, ETag: weakTag, Vary: 'Accept-Encoding' } : headers };
}

const weaken = (tag: string) => (tag.startsWith('W/') ? tag : `W/${tag}`);
