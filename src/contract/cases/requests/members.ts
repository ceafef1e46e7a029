/**
 * Bodies whose members break the schema: each is answered 400 with the member's path.
 */
import { type ApiUnderTest, errorPathsOf } from '../../apis/api-under-test.ts';
import { type CaseGroup, toCase, Violation } from '../../case.ts';
import { wrongValues } from '../../samples/wrong-value.ts';

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
