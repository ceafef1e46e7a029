/**
 * Parameters that break their schema: missing, unknown, given twice, of another type, out of range, against a pattern. Each is
 * answered 400 with its name; an unknown ID in a path is answered 404.
 */
import { type ApiUnderTest, errorPathsOf } from '../../apis/api-under-test.ts';
import type { Operation, Parameter, Schema } from '../../apis/contract-document.ts';
import { assertSame, type Case, type CaseGroup, toCase } from '../../case.ts';
import type { ContractRequest } from '../../responses/send-request.ts';
import { withTexts } from '../../samples/documented-request.ts';
import { fixedBodies } from '../../samples/fixed-bodies.ts';
import { numberOf, typesOf } from '../../samples/sample-value.ts';
import { acceptsClients } from './credentials.ts';

/** Yields the cases of every operation's parameters. */
export function* parameterCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations.filter(({ method }) => method !== '')) {
    const refuse = (wrong: string, parameter: Pick<Parameter, 'name' | 'in'>, texts: readonly string[]) =>
      refusal(api, operation, { wrong, parameter, texts });
    yield refuse('is unknown', { name: 'noSuchParameter', in: 'query' }, ['1']);
    for (const parameter of operation.parameters) {
      const { in: place, schema, separator } = parameter;
      const isInPath = place === 'path';
      if (isInPath && api.knows(operation)) {
        yield unknownPath(api, operation, parameter);
        continue;
      }
      if (parameter.required && !isInPath) yield refuse('is missing', parameter, []);
      if (place === 'query' && (typesOf(schema)[0] !== 'array' || separator !== undefined)) {
        const twice = api.make(schema, { random: api.random, full: false, refer: () => undefined });
        yield refuse('is given twice', parameter, [String(twice), String(twice)]);
      }
      for (const [text, wrong] of wrongTexts(api, parameter)) yield refuse(wrong, parameter, [text]);
    }
  }
}

interface Refusal {
  readonly wrong: string;
  readonly parameter: Pick<Parameter, 'name' | 'in'>;
  readonly texts: readonly string[];
}

function refusal(api: ApiUnderTest, operation: Operation, { wrong, parameter, texts }: Refusal): Case {
  const { name } = parameter;
  return toCase(operation.id, `400 ${name} ${wrong}`, async () => {
    const valid = api.validRequest(operation);
    if (!valid) return { skipped: 'the run has no resource for this request' };
    if (parameter.in === 'path') {
      await api.refuse(withPath(valid, operation, name, texts[0] ?? ''), 400, 404);
      return undefined;
    }
    const { body } = await api.refuse(withTexts(valid, parameter, texts), 400);
    if (!operation.responses.has('400')) return undefined;
    // Header names ignore letter case, and a list can name its item.
    const path = errorPathsOf(body)[0]?.replace(/\[\d+\]$/, '');
    const received = path?.toLowerCase() === name.toLowerCase() ? name : path;
    assertSame({ what: 'the parameter that the error names', received, expected: name });
    return undefined;
  });
}

/** Replaces one parameter in the path of a valid request. */
function withPath(valid: ContractRequest, { path }: Operation, name: string, text: string): ContractRequest {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, one = '']) => one);
  const pattern = path
    .split(/\{[^}]+\}/)
    .map(RegExp.escape)
    .join('([^/]+)');
  const given = new RegExp(`^${pattern}$`).exec(valid.path)?.slice(1) ?? [];
  const filled = names.reduce(
    (target, one, index) =>
      target.replace(`{${one}}`, one === name ? encodeURIComponent(text) : (given[index] ?? '')),
    path,
  );
  return { ...valid, path: filled };
}

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

/** Yields texts that the schema of a parameter does not allow. */
function* wrongTexts(
  api: ApiUnderTest,
  { schema, in: place }: Parameter,
): Iterable<readonly [text: string, wrong: string]> {
  const least = numberOf(schema.minimum, -Infinity);
  const most = numberOf(schema.maximum, Infinity);
  const longest = numberOf(schema.maxLength, 255);
  const texts: readonly (readonly [text: string, wrong: string])[] = [
    ...(place === 'query' ? ([['', 'is empty']] as const) : []),
    ['ten', 'is "ten"'],
    ['1.5', 'is a fraction'],
    ['a b', 'contains a space'],
    ['x'.repeat(longest + 1), `is longer than ${longest}`],
    ...(Number.isFinite(least) ? ([[String(least - 1), `is below ${least}`]] as const) : []),
    ...(Number.isFinite(most) ? ([[String(most + 1), `is above ${most}`]] as const) : []),
  ];
  for (const [text, wrong] of texts) if (!fitsText(api, schema, text)) yield [text, wrong];
}

/** Whether a schema allows a text, as it stands, as what the text says, or as the only item of a list. */
function fitsText({ validator }: ApiUnderTest, schema: Schema, text: string): boolean {
  const values = [
    text,
    ...(/^-?\d+(\.\d+)?$/.test(text) ? [Number(text)] : []),
    ...(text === '' ? [null] : []),
  ];
  return values.some((value) => validator.fits(schema, value) || validator.fits(schema, [value]));
}
