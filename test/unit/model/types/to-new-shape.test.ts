import { expect, it } from 'vitest';
import { toNewShape } from '../../../../src/model/values/check-stored.ts';
import { catalogOf } from '../../../support/types.ts';

it('gives blocks the present names of their kind and of its fields, and leaves those of an unknown kind', () => {
  const catalog = catalogOf(`
    union Block = Saying | Plain
    type Saying @was(name: "Quote") { words: String @was(name: "text") rank: Int! @default(value: 1) }
    type Plain { body: [Block!] }
    type Note @contentType(class: "x.Note") { body: [Block!] }`);
  const type = catalog.types.get('x.Note') ?? expect.fail('no such type');
  const quote = { _type: 'Quote', text: 'a' };
  const film = { _type: 'Film', url: 'b' };
  const stored = { _id: '1', _type: 'x.Note', body: [quote, film, { _type: 'Plain', body: [quote] }] };
  const saying = { _type: 'Saying', words: 'a', rank: 1 };
  expect(toNewShape(stored, type, catalog)).toEqual({
    ...stored,
    body: [saying, film, { _type: 'Plain', body: [saying] }],
  });
});
