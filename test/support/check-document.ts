/**
 * Checks what codegen makes of a document with sample operations: it compiles, the compiler names what handlers lack, and the server
 * answers as the document says.
 */
import { expect } from 'vitest';
import { createApiUnderTest } from '../../src/contract/apis/api-under-test.ts';
import { readContractDocument } from '../../src/contract/apis/contract-document.ts';
import { validRequestCases } from '../../src/contract/cases/requests/valid-requests.ts';
import { createResponseValidator } from '../../src/contract/responses/response-validator.ts';
import { createSender } from '../../src/contract/responses/send-request.ts';
import { runCases } from '../../src/contract/run-cases.ts';
import { createRandomGenerator } from '../../src/contract/samples/random-generator.ts';
import { groupsOfAnyApi, ledgerCases } from '../../src/contract/select-groups.ts';
import type { JsonObject } from '../../src/model/content-type.ts';
import type { SampleOperation } from './random-documents.ts';
import { generateServed, type ServedDocument, type ServedFault, toHandlerText } from './served-document.ts';

/** Checks everything about a document with these operations. */
export async function checkDocument(operations: readonly SampleOperation[]): Promise<void> {
  const served = await generateServed(operations);
  try {
    await checkCompiler(served, operations);
    await checkServer(served, operations);
    await checkContract(served, operations);
  } finally {
    served.remove();
  }
}

async function checkCompiler(
  { compile }: ServedDocument,
  operations: readonly SampleOperation[],
): Promise<void> {
  const names = operations.map(({ id }) => `'${id}'`).join(' | ');
  const toModule = (lines: readonly string[]) => `import type { OperationHandlers } from '${typesPath}';
import type { Operations } from './cma.ts';
type Handlers = OperationHandlers<Pick<Operations, ${names}>, object>;
${lines.join('\n')}
`;
  const toHandlers = (some: readonly SampleOperation[]) => `{ ${some.map(toHandlerText).join(', ')} }`;
  const missing = operations.slice(3, 6).map(({ id }) => id);
  const faults = operations.flatMap(toFaults);
  const messages = await compile({
    'complete.ts': toModule([`export const handlers: Handlers = ${toHandlers(operations)};`]),
    'missing.ts': toModule([
      `export const handlers: Handlers = ${toHandlers(operations.filter(({ id }) => !missing.includes(id)))};`,
    ]),
    'faulty.ts': toModule(
      faults.map((fault, n) => `export const fault${n}: Pick<Handlers, ${fault.id}> = ${fault.text};`),
    ),
  });
  const ofFile = (name: string) => messages.filter((message) => message.startsWith(name));
  expect(ofFile('complete.ts')).toEqual([]);
  const [message = '', ...others] = ofFile('missing.ts');
  expect(others).toEqual([]);
  expect(/: ([\w, ]+)$/.exec(message)?.[1]?.split(', ').sort()).toEqual(missing.toSorted());
  const faultyLines = new Set(ofFile('faulty.ts').map((message) => Number(/\((\d+)/.exec(message)?.[1]) - 4));
  expect(faults.filter((_, n) => !faultyLines.has(n))).toEqual([]);
  expect(messages.filter((message) => !/^(missing|faulty)\.ts/.test(message))).toEqual([]);
}

const typesPath = new URL('../../src/http/operation-handlers.ts', import.meta.url).pathname;

/** Handlers whose responses the document does not have. */
function toFaults(operation: SampleOperation): { readonly id: string; readonly text: string }[] {
  const { answer, responses } = operation;
  const id = `'${operation.id}'`;
  const write = (changes: Partial<SampleOperation['answer']>) => ({
    id,
    text: `{ ${toHandlerText({ ...operation, answer: { ...answer, ...changes } })} }`,
  });
  const { body: _, ...bodiless } = answer;
  return [
    ...(responses.some(({ entry }) => entry === 'default') ? [] : [write({ status: 511 })]),
    write({ headers: { 'X-Undocumented': 'x' } }),
    ...(answer.bytes === undefined ? [write({ body: { undocumented: true } })] : []),
    ...(answer.body === undefined
      ? []
      : [{ id, text: `{ ${toHandlerText({ ...operation, answer: bodiless })} }` }]),
  ];
}

/** A request for an operation; `left` names the parameter that it leaves out, `bad` the one with a bad value. */
function toRequest(operation: SampleOperation, { left, bad }: { left?: string; bad?: string } = {}) {
  const { method, path, parameters, body } = operation;
  const textOf = (key: string, { good, bad: wrong }: SampleOperation['parameters'][number]) =>
    key === bad ? (wrong ?? '') : good;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let target = path;
  for (const parameter of parameters) {
    const { name, in: place } = parameter;
    const key = `${place} ${name}`;
    if (key === left) continue;
    const value = textOf(key, parameter);
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'query') query.append(name, value);
    // Headers are texts of Latin 1.
    else headers[name] = value;
  }
  if (bad === 'query undocumented') query.append('undocumented', '1');
  const sent = bad === 'body' ? body?.bad : body?.good;
  const isJson = body?.type.endsWith('json');
  const withBody = body !== undefined && left !== 'body';
  return {
    path: target,
    query,
    init: {
      method: method.toUpperCase(),
      headers: { ...headers, ...(withBody ? { 'content-type': body.type } : {}) },
      ...(withBody ? { body: isJson ? JSON.stringify(sent) : String(sent) } : {}),
    },
  };
}

async function checkServer(served: ServedDocument, operations: readonly SampleOperation[]): Promise<void> {
  const { url, stop } = await served.serve();
  // Our own document, which is JSON.
  const source = served.document as unknown as JsonObject;
  const validator = createResponseValidator(readContractDocument(source));
  const send = async (operation: SampleOperation, faults?: Parameters<typeof toRequest>[1]) => {
    const { path, query, init } = toRequest(operation, faults);
    const response = await fetch(`${url}${path}?${query}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { response, text, body: isJson ? JSON.parse(text) : text === '' ? undefined : text, path, query };
  };
  try {
    for (const operation of operations) {
      const { id, method, path: template, parameters, body, answer } = operation;
      const optional = parameters
        .filter(({ required }) => !required)
        .map(({ in: place, name }) => `${place} ${name}`);
      const skips = [undefined, ...optional, ...(body && !body.required ? ['body'] : [])];
      for (const left of skips) {
        const { response, body: received } = await send(operation, left === undefined ? {} : { left });
        expect([id, left, response.status, received]).toEqual([
          id,
          left,
          answer.status,
          answer.body === undefined ? answer.bytes : answer.body,
        ]);
        expect(response.headers.get('X-Tag')).toBe(answer.headers?.['X-Tag'] ?? null);
        const headers = Object.fromEntries(response.headers);
        expect(
          validator.validate(method, template, { status: response.status, headers, body: received }),
        ).toEqual([]);
      }
      const faults: [fault: Parameters<typeof toRequest>[1], path: string | RegExp][] = [
        [{ bad: 'query undocumented' }, /^undocumented$/],
        ...parameters.map((one): [{ bad: string }, RegExp] => {
          const name = one.in === 'header' ? one.name.toLowerCase() : one.name;
          return [{ bad: `${one.in} ${one.name}` }, new RegExp(`^${name}(\\[\\d\\])?$`)];
        }),
        ...parameters
          .filter(({ required, in: place }) => required && place !== 'path')
          .map((one): [{ left: string }, RegExp] => [
            { left: `${one.in} ${one.name}` },
            new RegExp(`^${one.in === 'header' ? one.name.toLowerCase() : one.name}$`),
          ]),
        ...(body?.bad === undefined
          ? []
          : [[{ bad: 'body' }, bodyPathOf(body.bad)] as [{ bad: string }, RegExp]]),
      ];
      for (const [fault, where] of faults) {
        const { response, body: received } = await send(operation, fault);
        expect([id, fault, response.status, received?.error?.path]).toEqual([
          id,
          fault,
          400,
          expect.stringMatching(where),
        ]);
      }
    }
  } finally {
    await stop();
  }
}

/** Where a bad body is wrong. */
function bodyPathOf(bad: unknown): RegExp {
  if (Array.isArray(bad)) return /^\[0\]\.size$/;
  return Object(bad).kind ? /^radius$/ : bad instanceof Object ? /^size$/ : /^$/;
}

/** Checks that the contract suite passes on the operations, and finds each of their faults. */
async function checkContract(served: ServedDocument, operations: readonly SampleOperation[]): Promise<void> {
  expect(await runGroups(served, operations, new Map())).toEqual([]);
  const planted = operations.map((one) => ({ id: one.id, faults: toServedFaults(one) }));
  const rounds = Math.max(...planted.map(({ faults }) => faults.length));
  for (let round = 0; round < rounds; round++) {
    const ofRound = planted.flatMap(({ id, faults }) => {
      const fault = faults[round];
      return fault ? [{ id, ...fault }] : [];
    });
    const found = await runGroups(served, operations, new Map(ofRound.map((fault) => [fault.id, fault])));
    for (const { id, messages } of ofRound) {
      const lines = found.filter((line) => line.startsWith(`${id} `));
      const missed = messages.filter((message) => !lines.some((line) => message.test(line)));
      expect([id, missed, missed.length > 0 ? lines : []]).toEqual([id, [], []]);
    }
    const ids = new Set(ofRound.map(({ id }) => id));
    expect(found.filter((line) => !ids.has(line.split(' ')[0] ?? ''))).toEqual([]);
  }
}

/** Runs the cases of any API; returns the failures, each with its operation, its title and its message. */
async function runGroups(
  served: ServedDocument,
  operations: readonly SampleOperation[],
  faults: ReadonlyMap<string, ServedFault>,
): Promise<string[]> {
  const { url, stop } = await served.serve(faults);
  const known = new Set(operations.map(({ path }) => path));
  const paths = Object.fromEntries(Object.entries(served.document.paths).filter(([path]) => known.has(path)));
  const credentials = { clientId: 'any', clientSecret: 'any' };
  const random = createRandomGenerator('any');
  const api = createApiUnderTest({
    // Our own document, which is JSON.
    document: readContractDocument({ ...served.document, paths } as unknown as JsonObject),
    send: createSender({ origin: url, credentials, timeoutMs: 20_000 }),
    random,
    credentials,
    limited: async () => 'there are no clients',
  });
  const failures: string[] = [];
  const { signal } = new AbortController();
  const groups = [...groupsOfAnyApi(api), validRequestCases(api), ledgerCases(api, undefined)];
  await runCases({
    groups,
    random,
    signal,
    report: ({ operation, title, failure }) => {
      if (failure) failures.push(`${operation} ${title}: ${failure.message}`);
    },
  }).finally(stop);
  return failures;
}

/** The wrong servers of an operation, each with several faults at a time, and how the failures say them. */
function toServedFaults(operation: SampleOperation): (ServedFault & { readonly messages: RegExp[] })[] {
  const { answer, responses, parameters, body } = operation;
  const { headers: _, bytes: __, ...bare } = answer;
  const isTagged = answer.entry === '200';
  const isSized = answer.body instanceof Object && 'size' in answer.body;
  const isEmpty = answer.entry === '202';
  // A refusal does not tell whether a request was checked.
  const succeeds = answer.status < 400;
  const wrongBody = isSized ? {} : isEmpty ? { size: 1 } : answer.bytes === undefined ? answer.body : 'PNG';
  const hasDefault = responses.some(({ entry }) => entry === 'default');
  return [
    {
      unchecked: (pointer: string) => !pointer.startsWith('/requestBody'),
      answer: { ...bare, ...(wrongBody === undefined ? {} : { body: wrongBody }) },
      messages: [
        ...(succeeds ? parameters.map(({ name }) => new RegExp(`^\\w+ 400 ${name} .*the status is`)) : []),
        ...(isTagged ? [/the header X-Tag is missing/] : []),
        ...(isSized ? [/must have required property 'size'/] : []),
        ...(isEmpty ? [/has a body, but the document has none/] : []),
        ...(answer.bytes === undefined ? [] : [/the media type is application\/json/]),
      ],
    },
    {
      unchecked: (pointer: string) => pointer.startsWith('/requestBody'),
      answer: hasDefault ? answer : { ...answer, status: 299 },
      messages: [
        ...(hasDefault ? [] : [/status 299 is not documented|the status is 299/]),
        ...(body?.bad === undefined || !succeeds ? [] : [/^\w+ 400 .*the status is/]),
      ],
    },
    ...(isSized
      ? [{ answer: { ...answer, body: { size: 'x' } }, messages: [/\/size must be integer/] }]
      : []),
  ];
}
