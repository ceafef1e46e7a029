/**
 * Files: an upload is answered with the hash of its bytes, again for equal ones; the admin API lists and deletes what nothing uses.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { AdminUnderTest } from '../../apis/admin-under-test.ts';
import { type ApiUnderTest, errorPathsOf, memberOf } from '../../apis/api-under-test.ts';
import { assertSame, type CaseGroup, toCase, toSetupCase } from '../../case.ts';
import type { ReceivedResponse } from '../../responses/response-validator.ts';
import type { ContractRequest } from '../../responses/send-request.ts';
import { isUpload, uploadedText } from '../../samples/uploaded-file.ts';

/** Yields the cases of every operation whose body is a file. */
export function* uploadCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations.filter(isUpload)) {
    const request = (changes: Partial<ContractRequest>): ContractRequest => ({
      method: operation.method,
      path: operation.path,
      query: [['name', 'folder/contract test.txt']],
      raw: uploadedText,
      ...changes,
    });
    yield toCase(
      operation.id,
      '200 with the hash, the cleaned name and the size, again for equal bytes',
      async () => {
        const expected = {
          hash: createHash('sha256').update(uploadedText).digest('hex'),
          name: 'contract test.txt',
          bytes: uploadedText.length,
        };
        for (const _ of [1, 2]) {
          const file = fileIn(await api.call(request({}), 200));
          const [hash, name, bytes] = ['hash', 'name', 'bytes'].map((member) => memberOf(file, member));
          assertSame({ what: 'the file', received: { hash, name, bytes }, expected });
        }
      },
    );
    yield toCase(operation.id, '400 an empty file', async () => {
      await api.call(request({ raw: '' }), 400);
    });
    for (const name of ['..', 'x'.repeat(256)]) {
      yield toCase(operation.id, `400 a name of ${name.length} characters that names no file`, async () => {
        const { body } = await api.call(request({ query: [['name', name]] }), 400);
        assertSame({ what: 'the paths of the error', received: errorPathsOf(body)[0], expected: 'name' });
      });
    }
    yield toCase(operation.id, '415 a content coding', async () => {
      await api.call(request({ headers: { 'Content-Encoding': 'gzip' } }), 415);
    });
  }
}

/** Uploads the file that other cases use. */
export function* fileSampleCases(admin: AdminUnderTest): CaseGroup {
  yield toSetupCase('uploadContentFile', '200 a file', async () => {
    admin.keep('files', await upload(admin, uploadedText));
  });
}

/** Yields the cases of the admin API. */
export function* fileCases(admin: AdminUnderTest): CaseGroup {
  yield toCase('listFiles', '200 finds a file by its hash', async () => {
    const hash = admin.kept('files') ?? '';
    const { body } = await admin.call(
      { method: 'GET', path: `${admin.path}/files`, query: [['search', hash]] },
      200,
    );
    const items = memberOf(body, 'items');
    const hashes = Array.isArray(items) ? items.map((item) => memberOf(item, 'hash')) : [];
    assertSame({ what: 'the hashes', received: hashes, expected: [hash] });
  });
  yield toCase('deleteFile', '204 deletes a file that nothing uses, and then 404', async () => {
    const hash = await upload(admin, `${uploadedText} ${randomUUID()}`);
    const request = { method: 'DELETE', path: `${admin.path}/files/${hash}` };
    await admin.call(request, 204);
    await admin.call(request, 404);
  });
}

async function upload({ call, path }: AdminUnderTest, raw: string): Promise<string> {
  const query = [['name', 'contract test.txt']] as const;
  const { body } = await call({ method: 'POST', path: `${path}/files`, query, raw }, 200);
  return String(memberOf(body, 'hash'));
}

/** The file in a response: the result of the CMA's envelope, or the whole body. */
const fileIn = ({ body }: ReceivedResponse) => memberOf(body, 'result') ?? memberOf(body);
