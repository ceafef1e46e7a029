/** The fields that predicates of the generated client can name, as the compiler sees them. */
import { expect, it } from 'vitest';
import { generateQueryableTypes } from '../../../../src/codegen/client/queryable-types.ts';
import { catalogOf } from '../../../support/types.ts';

it('marks deprecated fields, in an interface only those that every type deprecates', () => {
  const catalog = catalogOf(`
    interface Named @contentType(class: "x.Named") {
      name: String @deprecated
      other: String @deprecated
    }
    type Pen implements Named @contentType(class: "x.Pen") {
      name: String @deprecated(reason: "Use title. */ really\\nsoon")
      other: String @deprecated(reason: "Only here.")
      size: Size
    }
    type Cap implements Named @contentType(class: "x.Cap") {
      name: String @deprecated(reason: "Use label.")
      other: String
    }
    type Size { width: Int @deprecated height: Int }
  `);
  const { fields } = generateQueryableTypes(catalog, '');
  const membersOf = (name: string) =>
    new RegExp(`export interface ${name}Fields \\{\\n([^}]*)\\}`).exec(fields)?.[1] ?? '';
  expect(membersOf('Pen')).toContain(
    '    /** @deprecated Use title. *\\/ really soon */\n    "name": $.TextField;\n',
  );
  expect(membersOf('Pen')).toContain('/** @deprecated Only here. */\n    "other"');
  expect(membersOf('Named')).toMatch(/@deprecated Use \w+\..*\n {4}"name": /);
  expect(membersOf('Named')).not.toContain('Only here');
  expect(membersOf('Size')).toMatch(/^ {4}\/\*\* @deprecated .* \*\/\n {4}"width": .*\n {4}"height"/);
});
