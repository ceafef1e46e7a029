/**
 * Files: an upload is answered with the hash of its bytes, again for equal ones; the admin API lists and deletes what nothing uses.
 */
import { randomUUID } from 'node:crypto';
import type { AdminUnderTest } from '../../apis/admin-under-test.ts';
import { type ApiUnderTest, errorPathsOf, memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import { assertSame, type CaseGroup, toCase, toSetupCase } from '../../case.ts';
import type { ReceivedResponse } from '../../responses/response-validator.ts';
import type { ContractRequest } from '../../responses/send-request.ts';
import { isUpload, uploadedBytes, uploadedFile } from '../../samples/uploaded-file.ts';

/** Yields the cases of every operation whose body is a file. */
export function* uploadCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations.filter((one) => isUpload(one) && api.knows(one))) {
    const request = (changes: Partial<ContractRequest>): ContractRequest => ({
      method: operation.method,
      path: operation.path,
      query: [['name', `folder/${uploadedFile.name}`]],
      raw: uploadedBytes,
      ...changes,
    });
    yield toCase(
      operation.id,
      '200 with the hash, the cleaned name and the size, again for equal bytes',
      async () => {
        for (const _ of [1, 2]) {
          const file = fileIn(await api.call(request({}), 200));
          assertSame({ what: 'the file', received: file, expected: uploadedFile });
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

/** Uploads the file that the samples name. */
export function* uploadSampleCases(cma: CmaUnderTest): CaseGroup {
  const operation = cma.document.operations.find(({ id }) => id === 'uploadFile');
  if (!operation) return;
  yield toSetupCase(operation.id, '200 the file of the samples', async () => {
    const query = [['name', uploadedFile.name]] as const;
    await cma.call({ method: 'POST', path: operation.path, query, raw: uploadedBytes }, 200);
  });
}

/** Uploads the file that other cases of the admin API use. */
export function* fileSampleCases(admin: AdminUnderTest): CaseGroup {
  yield toSetupCase('uploadContentFile', '200 a file', async () => {
    admin.keep('files', await upload(admin, uploadedBytes));
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
  yield toCase('deleteFile', '409 names an asset that uses the file', async () => {
    const path = `${admin.path}/files/${admin.kept('files')}`;
    const { body } = await admin.call({ method: 'GET', path: `${path}/uses` }, 200);
    const uses = memberOf(body, 'items');
    if (!Array.isArray(uses) || uses.length === 0) return { skipped: 'no asset uses the file' };
    const refused = await admin.call({ method: 'DELETE', path }, 409);
    assertSame({ what: 'the code', received: memberOf(refused.body, 'code'), expected: 'in_use' });
    return undefined;
  });
  yield toCase('deleteFile', '204 deletes a file that nothing uses, and then 404', async () => {
    const hash = await upload(admin, randomUUID());
    const request = { method: 'DELETE', path: `${admin.path}/files/${hash}` };
    await admin.call(request, 204);
    await admin.call(request, 404);
  });
}

async function upload({ call, path }: AdminUnderTest, raw: ContractRequest['raw'] & {}): Promise<string> {
  const query = [['name', uploadedFile.name]] as const;
  const { body } = await call({ method: 'POST', path: `${path}/files`, query, raw }, 200);
  return String(memberOf(body, 'hash'));
}

/** The file in a response: the result of the CMA's envelope, or the whole body. */
const fileIn = ({ body }: ReceivedResponse) => memberOf(body, 'result') ?? memberOf(body);
