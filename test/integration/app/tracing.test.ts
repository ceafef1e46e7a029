/** Spans of an embedded instance, collected by the SDK of OpenTelemetry; and an instance without an SDK. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Colophon } from '../../../src/app/library/colophon.ts';
import { createColophon } from '../../../src/app/library/index.ts';
import { createRecordingLogger } from '../../support/runtime.ts';
import { sqliteLocation } from '../../support/stores.ts';

const text = 'com.colophon.cms.db.Text';
const contents = '/api/rest/cma/contents';
const library = join(import.meta.dirname, '../../../src/app/library/index.ts');
const credentials = { 'X-Client-Id': 'tracing', 'X-Client-Secret': 'a-secret-for-tests' };
const location = sqliteLocation();

describe('without an SDK', () => {
  it('nothing of OpenTelemetry is loaded', () => {
    const program = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({
        resolve(specifier, context, next) {
          loaded.push(specifier);
          return next(specifier, context);
        },
      });
      const { createColophon } = await import(${JSON.stringify(library)});
      const colophon = await createColophon({ dataDir: ${JSON.stringify(join(location.config.dataDir, 'alone'))}, port: 0 });
      const address = await colophon.listen();
      const { status } = await fetch(address + '/healthz');
      await colophon.close();
      const ofSdk = loaded.filter((specifier) => specifier.includes('opentelemetry/'));
      console.log(JSON.stringify({ status, ofSdk, isComplete: loaded.includes('express') }));
    `;
    const file = join(location.config.dataDir, 'program.mjs');
    writeFileSync(file, program);
    const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual({ status: 200, ofSdk: [], isComplete: true });
  });
});

describe('with an SDK', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const { logger, lines } = createRecordingLogger();
  let colophon: Colophon;
  let address: string;

  beforeAll(async () => {
    provider.register();
    colophon = await createColophon({
      dataDir: location.config.dataDir,
      port: 0,
      clientId: credentials['X-Client-Id'],
      clientSecret: credentials['X-Client-Secret'],
      logger,
    });
    address = await colophon.listen();
  });
  afterAll(async () => {
    await colophon.close();
    await provider.shutdown();
    for (const api of [trace, context, propagation]) api.disable();
  });
  beforeEach(() => exporter.reset());

  const send = (path: string, { url = address, ...init }: RequestInit & { url?: string } = {}) =>
    fetch(url + path, { ...init, headers: { ...credentials, ...init.headers } });
  const json = (body: object) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const create = (body: object) => send(contents, json({ _type: text, ...body }));

  /** Waits for the spans of so many requests, which end after the responses. */
  async function requestSpans(count: number): Promise<readonly ReadableSpan[]> {
    const find = () => exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);
    await expect.poll(() => find().length).toBe(count);
    return find();
  }
  const childrenOf = (span: ReadableSpan | undefined) =>
    exporter
      .getFinishedSpans()
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === span?.spanContext().spanId);

  it('a request is part of the trace that it names, and each call of the store is a part of it', async () => {
    const { result } = Object(await (await create({ name: 'Traced' })).json());
    await requestSpans(1);
    exporter.reset();
    const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const traceparent = `00-${traceId}-${parentId}-01`;
    await send(`${contents}/${result._id}`, { headers: { traceparent } });
    const [request] = await requestSpans(1);
    expect(request).toMatchObject({
      name: `GET ${contents}/{id}`,
      parentSpanContext: { traceId, spanId: parentId },
      attributes: {
        'http.request.method': 'GET',
        'http.route': `${contents}/{id}`,
        'http.response.status_code': 200,
        'url.path': `${contents}/${result._id}`,
        'client.address': '127.0.0.1',
      },
      status: { code: SpanStatusCode.UNSET },
    });
    const [call] = childrenOf(request);
    expect(call).toMatchObject({
      name: 'get',
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'sqlite', 'db.operation.name': 'get' },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(call?.spanContext().traceId).toBe(traceId);
  });

  it('a request without a trace begins one, which the log names', async () => {
    await send(`${contents}?from=${text}`);
    const [request] = await requestSpans(1);
    expect(request?.parentSpanContext).toBeUndefined();
    const { traceId } = request?.spanContext() ?? {};
    await expect.poll(() => lines).toContainEqual(expect.objectContaining({ message: 'request', traceId }));
  });

  it('simultaneous requests keep their calls apart', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `${n + 1}`.padStart(32, 'a'));
    await Promise.all(
      ids.map((traceId) =>
        send(`${contents}?from=${text}`, { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } }),
      ),
    );
    for (const request of await requestSpans(ids.length)) {
      const calls = childrenOf(request);
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) expect(call.spanContext().traceId).toBe(request.spanContext().traceId);
    }
  });

  it('requests to GraphQL endpoints and pages have their routes, unknown paths none', async () => {
    await send('/graphql/management', json({ query: '{ textList { items { name } } }' }));
    await send('/healthz');
    await send('/no/such/path');
    const names = (await requestSpans(3)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['GET', 'GET /healthz', 'POST /graphql/management']);
  });

  it('a refused write is an error of the store call, not of the request', async () => {
    const { result } = Object(await (await create({ name: 'First' })).json());
    await requestSpans(1);
    exporter.reset();
    expect((await create({ _id: result._id, name: 'Second' })).status).toBe(409);
    const [request] = await requestSpans(1);
    expect(request?.status.code).toBe(SpanStatusCode.UNSET);
    const failed = childrenOf(request).filter(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(failed.map(({ attributes }) => attributes['error.type'])).toEqual(['id_in_use']);
  });

  it('the span of an instrumentation of node:http gets the route, and no second span is made', async () => {
    const tracer = provider.getTracer('test');
    const server = createServer((request, response) =>
      tracer.startActiveSpan('http', { kind: SpanKind.SERVER }, (span) => {
        response.once('close', () => setImmediate(() => span.end()));
        colophon.handler(request, response);
      }),
    ).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    // A server that listens on a port has such an address.
    const { port } = server.address() as AddressInfo;
    await send(`${contents}?from=${text}`, { url: `http://127.0.0.1:${port}` });
    const [request] = await requestSpans(1);
    expect(request).toMatchObject({ name: `GET ${contents}`, attributes: { 'http.route': contents } });
    expect(childrenOf(request).length).toBeGreaterThan(0);
    server.closeAllConnections();
    server.close();
  });

  it('work outside requests has no spans', async () => {
    // The instance looks twice a second whether records have changed, and is asked here for content without a request.
    await colophon.content.find({ from: text });
    await send('/healthz');
    await requestSpans(1);
    expect(exporter.getFinishedSpans()).toHaveLength(1);
  });
});
