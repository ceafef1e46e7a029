/**
 * Bodies that are refused: before their content is read, for a wrong media type, size or JSON; and with a member that breaks the schema,
 * which the error names by its path.
 */

import { isJsonType } from '../../../documents/document-parts.ts';
import { type ApiUnderTest, errorPathsOf } from '../../apis/api-under-test.ts';
import type { Operation } from '../../apis/contract-document.ts';
import { type CaseGroup, toCase, Violation } from '../../case.ts';
import type { ContractRequest } from '../../responses/send-request.ts';
import { isUpload } from '../../samples/uploaded-file.ts';
import { wrongValues } from '../../samples/wrong-value.ts';

/** More than the API can be configured to accept. */
const tooLargeBytes = 13_000_000;

/** Yields the cases of every operation that has a body, except uploads. */
export function* bodyCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations) {
    const { body: described } = operation;
    if (!described || isUpload(operation)) continue;
    for (const [status, title, toType, raw] of wrongBodies) {
      const type = toType(described.type);
      const isOwn = type === described.type;
      if (isOwn && (!isJsonType(type) || allows(api, described, raw()))) continue;
      // Only the document knows whether an instance has such a limit.
      if (status === 413 && !operation.responses.has('413')) continue;
      yield toCase(operation.id, `${status} ${title}`, async () => {
        const valid = api.validRequest(operation);
        if (!valid) return { skipped: 'the run has no resource for this request' };
        const { body: _, ...rest } = valid;
        const request: ContractRequest = {
          ...rest,
          headers: { ...valid.headers, 'Content-Type': type },
          raw: raw(),
        };
        await api.refuse(request, status);
        return undefined;
      });
    }
  }
}

/** Whether a body is what the document allows: nothing, or a JSON value of its schema. */
function allows(
  { validator }: ApiUnderTest,
  { pointer, required }: NonNullable<Operation['body']>,
  raw: string | Uint8Array,
): boolean {
  if (raw === '') return !required;
  return ['[]', '"text"', 'null'].some(
    (text) => text === raw && validator.problemsOf(pointer, JSON.parse(text)).length === 0,
  );
}

type WrongBody = readonly [
  status: number,
  title: string,
  /** The media type to send, given that of the operation. */
  toType: (own: string) => string,
  raw: () => string | Uint8Array<ArrayBuffer>,
];

const ownType = (own: string) => own;

const asJson = (title: string, raw: string): WrongBody => [400, title, ownType, () => raw];

const wrongBodies: readonly WrongBody[] = [
  asJson('the body is empty', ''),
  asJson('the body is truncated', '{"a": '),
  asJson('the body is not JSON', "{'a': 1}"),
  asJson('the body is a list', '[]'),
  asJson('the body is a text', '"text"'),
  asJson('the body is null', 'null'),
  [400, 'the body is not UTF-8', ownType, () => new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  [415, 'the body is plain text', () => 'text/plain', () => '{}'],
  [415, 'the body is a form', () => 'application/x-www-form-urlencoded', () => 'a=1'],
  [415, 'the body is in another charset', (own) => `${own}; charset=utf-16`, () => '{}'],
  [413, 'the body is too large', ownType, () => `{"a": "${'x'.repeat(tooLargeBytes)}"}`],
];

/** Yields the cases of every operation with a body, except those whose body is an asset. */
export function* memberCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations) {
    const { body: described } = operation;
    const valid = described && api.validRequest(operation);
    if (valid?.body === undefined || otherOperations.includes(operation.id)) continue;
    const schema = { $ref: described?.pointer ?? '' };
    for (const { value, path, wrong } of wrongValues(api.document, schema, valid.body)) {
      if (api.validator.problemsOf(schema.$ref, value).length === 0) continue;
      yield toCase(operation.id, `400 ${path} ${wrong}`, async () => {
        const request = { ...valid, body: value };
        const { body } = await api.refuse(request, 400);
        const isNamed = (named: string) => named === path || named.startsWith(`${path}.`);
        if (!operation.responses.has('400') || errorPathsOf(body).some(isNamed)) return;
        throw new Violation({
          message: 'the error does not name the member',
          request,
          expected: path,
          received: body,
        });
      });
    }
  }
}

/** A check answers 200 with all problems of a definition; assets and batches have their own cases. */
const otherOperations = ['checkRestEndpoint', 'createAsset', 'updateAsset', 'patchAsset', 'batchAssets'];
