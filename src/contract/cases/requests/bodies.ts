/**
 * Bodies that are refused before their content is read: wrong media type, size or JSON.
 */
import type { ApiUnderTest } from '../../apis/api-under-test.ts';
import { type CaseGroup, toCase } from '../../case.ts';
import type { ContractRequest } from '../../responses/send-request.ts';
import { isUpload } from '../../samples/uploaded-file.ts';

/** More than the API can be configured to accept. */
const tooLargeBytes = 13_000_000;

/** Yields the cases of every operation that has a body, except uploads. */
export function* bodyCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations.filter((one) => one.body && !isUpload(one))) {
    for (const [status, title, toType, raw] of wrongBodies) {
      if (!operation.responses.has(String(status))) continue;
      yield toCase(operation.id, `${status} ${title}`, async () => {
        const valid = api.validRequest(operation);
        if (!valid) return { skipped: 'the run has no resource for this request' };
        const { body: _, ...rest } = valid;
        const headers = { ...valid.headers, 'Content-Type': toType(operation.body?.type ?? '') };
        const request: ContractRequest = { ...rest, headers, raw: raw() };
        await api.call(request, status);
        return undefined;
      });
    }
  }
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
