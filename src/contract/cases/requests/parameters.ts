/**
 * Parameters that break their schema: missing, unknown, given twice, of another type, out of range, against a pattern. Each is
 * answered 400 with its name; an unknown ID in a path is answered 404.
 */
import { type ApiUnderTest, errorPathsOf } from '../../apis/api-under-test.ts';
import type { Operation, Parameter } from '../../apis/contract-document.ts';
import { assertSame, type Case, type CaseGroup, toCase } from '../../case.ts';
import type { ContractRequest } from '../../responses/send-request.ts';
import { fixedBodies } from '../../samples/fixed-bodies.ts';
import { numberOf, typesOf } from '../../samples/sample-value.ts';
import { acceptsClients } from './credentials.ts';

/** Yields the cases of every operation's parameters. */
export function* parameterCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations.filter(({ method }) => method !== '')) {
    const refuse = (title: string, name: string, change: (valid: ContractRequest) => ContractRequest) =>
      refusal(api, operation, { title, name, change });
    yield refuse('noSuchParameter is unknown', 'noSuchParameter', (valid) =>
      withQuery(valid, 'noSuchParameter', ['1']),
    );
    for (const parameter of operation.parameters) {
      const { name } = parameter;
      const title = (wrong: string) => `${name} ${wrong}`;
      if (parameter.in === 'path') yield unknownPath(api, operation, parameter);
      if (parameter.in === 'header') {
        for (const [text, wrong] of wrongTexts(parameter)) {
          yield refuse(title(wrong), name, (valid) => withHeader(valid, name, text));
        }
      }
      if (parameter.in !== 'query') continue;
      if (parameter.required) yield refuse(title('is missing'), name, (valid) => withQuery(valid, name, []));
      if (typesOf(parameter.schema)[0] !== 'array') {
        const twice = api.make(parameter.schema, { random: api.random, full: false, refer: () => undefined });
        yield refuse(title('is given twice'), name, (valid) =>
          withQuery(valid, name, [String(twice), String(twice)]),
        );
      }
      for (const [text, wrong] of wrongTexts(parameter)) {
        yield refuse(title(wrong), name, (valid) => withQuery(valid, name, [text]));
      }
    }
  }
}

interface Refusal {
  readonly title: string;
  readonly name: string;
  readonly change: (valid: ContractRequest) => ContractRequest;
}

function refusal(api: ApiUnderTest, operation: Operation, { title, name, change }: Refusal): Case {
  return toCase(operation.id, `400 ${title}`, async () => {
    const valid = api.validRequest(operation);
    if (!valid) return { skipped: 'the run has no resource for this request' };
    const { body } = await api.call(change(valid), 400);
    // Header names ignore letter case.
    const path = errorPathsOf(body)[0];
    const received = path?.toLowerCase() === name.toLowerCase() ? name : path;
    assertSame({ what: 'the parameter that the error names', received, expected: name });
    return undefined;
  });
}

/** Creates the case of unknown values of a path parameter. */
function unknownPath(api: ApiUnderTest, operation: Operation, { name, schema }: Parameter): Case {
  const isNumber = typesOf(schema)[0] === 'integer';
  const forms = isNumber
    ? ['999999999']
    : ['no-such-thing', '00000000-0000-4000-8000-000000000000', '%00', "'"];
  return toCase(operation.id, `404 ${name} is unknown`, async () => {
    const skipped = await api.unavailable(operation.id);
    if (skipped) return { skipped };
    const possible = api.validRequest(operation);
    if (!possible && !acceptsClients(api, operation)) return { skipped: 'nobody is signed in' };
    const valid = possible ?? fixedRequest(operation);
    for (const form of forms) {
      const path = fillParameter(operation.path, name, form);
      const isOther = api.document.operationOf(operation.method, path)?.id !== operation.id;
      if (!isOther) await api.call({ ...valid, method: operation.method, path }, 404);
    }
    return undefined;
  });
}

/** The fixed body of an operation, for an API that has no resource for it. */
const fixedRequest = ({ id }: Operation) =>
  Object.hasOwn(fixedBodies, id) ? { body: fixedBodies[id] ?? {} } : {};

/** Fills one parameter of a path template; numbers among the others become 1. */
function fillParameter(template: string, name: string, form: string): string {
  return template
    .replace(`{${name}}`, form)
    .replaceAll(/\{(number|seq)\}/g, '1')
    .replaceAll(/\{[^}]+\}/g, 'no-such-thing');
}

function* wrongTexts({ schema, in: place }: Parameter): Iterable<readonly [text: string, wrong: string]> {
  const least = numberOf(schema.minimum, -Infinity);
  const most = numberOf(schema.maximum, Infinity);
  if (numberOf(schema.minLength, 0) > 0 && place === 'query') yield ['', 'is empty'];
  if (typeof schema.pattern === 'string') {
    for (const [text, wrong] of [
      ['a b', 'contains a space'],
      ['x'.repeat(256), 'is longer than 255'],
    ] as const) {
      if (!new RegExp(schema.pattern, 'u').test(text)) yield [text, wrong];
    }
  }
  if (Array.isArray(schema.enum)) yield ['no-such-member', 'is not in its enum'];
  switch (typesOf(schema)[0]) {
    case 'integer':
      yield ['ten', 'is not a number'];
      yield ['1.5', 'is a fraction'];
      yield ['', 'is empty'];
      if (Number.isFinite(least)) yield [String(least - 1), `is below ${least}`];
      if (Number.isFinite(most)) yield [String(most + 1), `is above ${most}`];
      return;
    case 'boolean':
      yield ['maybe', 'is neither true nor false'];
      yield ['', 'is empty'];
      return;
  }
}

function withQuery(valid: ContractRequest, name: string, values: readonly string[]): ContractRequest {
  const others = (valid.query ?? []).filter(([other]) => other !== name);
  return { ...valid, query: [...others, ...values.map((value) => [name, value] as const)] };
}

function withHeader(valid: ContractRequest, name: string, value: string): ContractRequest {
  return { ...valid, headers: { ...valid.headers, [name]: value } };
}
