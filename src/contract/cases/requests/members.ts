/**
 * Bodies whose members break the schema: each is answered 400 with the member's path.
 */
import { type ApiUnderTest, errorPathsOf } from '../../apis/api-under-test.ts';
import { type CaseGroup, toCase, Violation } from '../../case.ts';
import { wrongValues } from '../../samples/wrong-value.ts';

/** Yields the cases of every operation with a body, except those whose body is an asset. */
export function* memberCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations) {
    const valid = api.validRequest(operation);
    const { body: described } = operation;
    // A check accepts any definition, and answers 200 with all its problems.
    if (!described || valid?.body === undefined || operation.id === 'checkRestEndpoint') continue;
    const schema = { $ref: described.pointer };
    for (const { value, path, wrong } of wrongValues(api.document, schema, valid.body)) {
      if (api.validator.problemsOf(described.pointer, value).length === 0) continue;
      yield toCase(operation.id, `400 ${path} ${wrong}`, async () => {
        const request = { ...valid, body: value };
        const { body } = await api.call(request, 400);
        if (errorPathsOf(body).some((named) => named === path || named.startsWith(`${path}.`))) return;
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
