/**
 * What may be wrong with the members of a body, by its schema: each is answered 400 with the member's path.
 */
import { type ApiUnderTest, placesOf } from '../apis/api-under-test.ts';
import { type CaseGroup, toCase, Violation } from '../case.ts';
import { wrongValues } from '../samples/wrong-value.ts';

/** The cases of every operation that has a body, but for those whose body is an asset of any type. */
export function* memberCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations) {
    const sound = api.sound(operation);
    const { body: described } = operation;
    // What is to be checked may have anything wrong with it, and is answered 200 with all of that.
    if (!described || sound?.body === undefined || operation.id === 'checkRestEndpoint') continue;
    const schema = { $ref: described.pointer };
    for (const { value, path, wrong } of wrongValues(api.document, schema, sound.body)) {
      if (api.judge.problemsOf(described.pointer, value).length === 0) continue;
      yield toCase(operation.id, `400 ${path} ${wrong}`, async () => {
        const request = { ...sound, body: value };
        const { body } = await api.call(request, 400);
        if (placesOf(body).some((place) => place === path || place.startsWith(`${path}.`))) return;
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
