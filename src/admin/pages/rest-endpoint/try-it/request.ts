/**
 * A request to a mapped route: its URL in the endpoint's syntax, its headers, its body, and how curl sends it.
 */
import type { Access, MappingMethod } from 'colophon-client/admin';
import { toShellWord } from '../../../../text/shell-word.ts';
import type { Json } from './variable-inputs.ts';

/** How a query string tells variables: parts of a value as `a/b=v`, or each value as a JSON literal. */
export type Syntax = 'slash' | 'json';

/** The credentials of a caller. Empty ones are not sent. */
export interface Credentials {
  readonly apiKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A request, ready to send. */
export interface RouteRequest {
  readonly method: MappingMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The values that were put into the path, by name. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Puts a request together; with `inBody` the variables that are not in the path are a JSON body, else they are in the query string.
 */
export function createRequest({
  method,
  path: template,
  values: all,
  inBody,
  syntax,
  headers,
}: {
  method: MappingMethod;
  path: string;
  values: Readonly<Record<string, Json>>;
  inBody: boolean;
  syntax: Syntax;
  headers: Readonly<Record<string, string>>;
}): RouteRequest {
  const { path, pathParameters, values } = fillPath(template, all);
  if (inBody) {
    const type = { 'Content-Type': 'application/json' };
    return {
      method,
      url: path,
      headers: { ...headers, ...type },
      body: JSON.stringify(values),
      pathParameters,
    };
  }
  const pairs = Object.entries(values).flatMap(([name, value]): Pair[] =>
    syntax === 'json' ? [[name, JSON.stringify(value)]] : toPairs(name, value),
  );
  const query = pairs
    .map(([name, ...text]) => [encodeName(name), ...text.map(encodeURIComponent)].join('='))
    .join('&');
  return { method, url: query === '' ? path : `${path}?${query}`, headers, pathParameters };
}

/** Puts values into a path such as `/talks/{slug}`; returns the others beside it. A parameter without a value stays as it is. */
function fillPath(
  template: string,
  values: Readonly<Record<string, Json>>,
): { path: string; pathParameters: Record<string, string>; values: Record<string, Json> } {
  const others = { ...values };
  const pathParameters: Record<string, string> = {};
  const path = template.replace(/\{(\w+)\}/g, (parameter, name: string) => {
    const value = others[name];
    if (value === undefined) return parameter;
    delete others[name];
    pathParameters[name] = String(value);
    return encodeURIComponent(String(value));
  });
  return { path, pathParameters, values: others };
}

/** Finds the variables in the path whose values a path cannot contain, each with the reason. */
export function findUnreachable(
  path: string,
  values: Readonly<Record<string, Json>>,
): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const wrong = names.filter((name) => ['', '.', '..'].includes(String(values[name] ?? '')));
  return Object.fromEntries(wrong.map((name) => [name, 'A path needs a text here, other than . and ..']));
}

/** The headers for the credentials an access asks for. */
export function credentialHeaders(access: Access, { apiKey, clientId, clientSecret }: Credentials) {
  const all = {
    ...(access === 'API_KEY' ? { 'X-API-Key': apiKey } : {}),
    ...(access === 'ANYONE' ? {} : { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret }),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Finds the variables that slash syntax cannot express, each with the reason; a JSON body can express them. */
export function findUnreported(values: Readonly<Record<string, Json>>): Record<string, string> {
  const reasons = Object.entries(values).map(([name, value]) => [name, unwritableReason(value)] as const);
  return Object.fromEntries(reasons.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function unwritableReason(value: Json): string | undefined {
  if (value === null) return 'Slash syntax cannot express null';
  if (typeof value !== 'object') return undefined;
  const parts = Object.values(value);
  if (parts.length === 0 && !Array.isArray(value)) return 'Slash syntax cannot express an empty object';
  return parts.map(unwritableReason).find((reason) => reason !== undefined);
}

type Pair = readonly [name: string, text: string] | readonly [emptyList: string];

/** A value in slash syntax; a list of plain values appends, one of others counts, and an empty one has no text. */
function toPairs(name: string, value: Json): Pair[] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([member, inner]) => toPairs(`${name}/${member}`, inner));
  }
  if (value.length === 0) return [[`${name}[]`]];
  const isPlain = value.every((item) => typeof item !== 'object');
  return value.flatMap((item, index) => toPairs(isPlain ? `${name}[]` : `${name}[${index}]`, item));
}

/** Slashes may stand in a query string as they are, and are read more easily so. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll('%2F', '/');
}

/** The command that sends a request from a shell. */
export function toCurl({ method, url, headers, body }: RouteRequest, serverUrl: string): string {
  const parts = [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    toShellWord(serverUrl + url),
    ...Object.entries(headers).map(([name, value]) => `-H ${toShellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${toShellWord(body)}`]),
  ];
  return `curl ${parts.join(' \\\n  ')}`;
}

/** The headers of a text, or what is wrong with it. */
type TypedHeaders =
  | { readonly headers: Readonly<Record<string, string>>; readonly problem?: undefined }
  | { readonly headers?: undefined; readonly problem: string };

/** Headers for which the form has other fields. */
const credentials = ['x-api-key', 'x-client-id', 'x-client-secret'];
/** Headers that a browser sets by itself, whatever a page asks for. */
const ofBrowser =
  /^(accept-charset|accept-encoding|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/;

/** Reads `Name: value` from each line that is not empty. */
export function readHeaders(text: string): TypedHeaders {
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = `Line ${index + 1}: `;
    const [, name = '', value = ''] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*:\s*([\t -~]*?)\s*$/.exec(line) ?? [];
    const key = name.toLowerCase();
    if (key === '') return { problem: `${place}not a name, a colon and a value of ASCII characters` };
    if (credentials.includes(key)) return { problem: `${place}${name} has a field of its own` };
    if (ofBrowser.test(key)) return { problem: `${place}browsers do not let a page set ${name}` };
    if (Object.keys(headers).some((given) => given.toLowerCase() === key))
      return { problem: `${place}${name} is given twice` };
    headers[name] = value;
  }
  return { headers };
}
