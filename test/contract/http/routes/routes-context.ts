/** The context of the cases of mapped routes: an instance, its published REST endpoints, and calls to their routes. */
import { expect } from 'vitest';
import type { RestEndpoint } from '../../../../src/mapping/records/rest-endpoint.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import type { ReceivedResponse } from '../../../support/contract-assertions.ts';
import type { TestInstance } from '../../../support/instance.ts';
import { sendRaw } from '../../../support/raw-http.ts';
import { createRouteAssertion, type RouteAssertion } from '../../../support/route-assertions.ts';

/** One request; at most one of `json`, `form` and `raw` is its body. */
export interface RouteCall {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: string;
  readonly raw?: string | Buffer;
  /** The path of the route in its OpenAPI document, if it has parameters. */
  readonly template?: string;
}

/** A response of a route. */
export interface RouteResponse extends ReceivedResponse {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ from test to test
  readonly body: any;
}

/** Shared by all cases of one suite. */
export interface RoutesContext {
  instance(): TestInstance;
  /** Calls a mapped route, and asserts that its OpenAPI document describes the response. */
  call(method: string, path: string, sent?: RouteCall): Promise<RouteResponse>;
  /** Creates and publishes a REST endpoint, by default with the source `open`; it is served at once. */
  publish(body: object): Promise<RestEndpoint>;
  /** Returns an unused name. */
  newName(): string;
}

export const by = 'a test';

/** A GraphQL endpoint that lets anyone read and write everything; the default source. */
export const open = { name: 'Open', readTypes: ['*'], writeTypes: ['*'], access: 'ANYONE' };

/** Creates the context of a suite whose instance starts later, and has the GraphQL endpoint `open`. */
export function createRoutesContext(instance: () => TestInstance): RoutesContext {
  const assertions = new Map<string, RouteAssertion>();
  let names = 0;

  async function call(method: string, path: string, sent: RouteCall = {}): Promise<RouteResponse> {
    const response = await send(instance().url, method, path, sent);
    expectRouteResponse(method, response);
    const [place = ''] = (sent.template ?? path).split('?');
    if (sent.template) expect(assertions.has(place), place).toBe(true);
    assertions.get(place)?.(method, place, response);
    return response;
  }

  async function publish(body: object): Promise<RestEndpoint> {
    const { restEndpoints } = instance().services;
    const { id } = await restEndpoints.create({ body: { source: open.name, ...body }, by });
    const published = await restEndpoints.publish({ id, by });
    await instance().refresh();
    const document = await documentOf(instance(), id);
    const assertDocumented = createRouteAssertion(document);
    for (const path of Object.keys(document.paths)) assertions.set(path, assertDocumented);
    return published;
  }

  return { instance, call, publish, newName: () => `Name ${++names}` };
}

/** Sends a request to any path. */
export async function send(
  origin: string,
  method: string,
  path: string,
  { headers, json, form, raw }: RouteCall = {},
): Promise<RouteResponse> {
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  const body = raw ?? form ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await sendRaw(origin, {
    method,
    path,
    headers: { ...(body === undefined || raw !== undefined ? {} : { 'Content-Type': type }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { ...response, body: response.text === '' ? undefined : JSON.parse(response.text) };
}

/** Reads the OpenAPI document of a published REST endpoint through the admin API. */
export async function documentOf(
  instance: TestInstance,
  id: string,
): Promise<JsonObject & { readonly paths: JsonObject }> {
  const admin = await instance.createClient({ scopes: ['admin'] });
  await instance.refresh();
  const path = `/api/admin/rest-endpoints/${id}/openapi.json`;
  const { status, body } = await send(instance.url, 'GET', path, { headers: admin });
  expect([status, body.openapi], `document of ${id}`).toEqual([200, '3.1.0']);
  return body;
}

/** Asserts the rules for every response below the prefix of a REST endpoint. */
function expectRouteResponse(method: string, { status, headers, body, text }: RouteResponse): void {
  expect(text).not.toMatch(/node_modules|\.ts:\d|SQLITE|Mongo/);
  if (status === 304 || method === 'HEAD') expect(text).toBe('');
  else expect(headers['content-type']).toBe('application/json; charset=utf-8');
  if (status === 200 || status === 304) expect(headers['cache-control']).toBeDefined();
  else expect(headers['cache-control']).toBe('no-store');
  // A route also responds with 404 and its data, if that is null.
  if (status < 400 || method === 'HEAD' || (status === 404 && 'data' in body)) return;
  const error = {
    message: expect.any(String),
    extensions: expect.objectContaining({ code: expect.any(String) }),
  };
  expect(body.errors).not.toHaveLength(0);
  for (const one of body.errors) expect(one).toMatchObject(error);
}
