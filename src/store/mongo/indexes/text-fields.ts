/**
 * The fields of a content type that have words, each as a text that says its path and the rule by which it is split.
 *
 * A type's record lists those whose words all its assets have. Two rules for one path are in each other's way, since the words of
 * a path are kept once.
 */
import type { ContentType, EmbeddedType, Field } from '../../../model/content-type.ts';
import { familyOf } from '../../../query/operators.ts';

/** To be raised when `query/text.ts` splits or folds in another way. */
const wordRules = 1;

/** One field with words. */
export interface TextField {
  /** The name of the asset's member that it is, or is in. */
  readonly member: string;
  /** The path of JSON names. */
  readonly path: string;
  readonly rule: string;
}

/** The fields of a type that have words; of an embedded type that contains itself, those on its first level. */
export function textFieldsOf({ fields }: ContentType): TextField[] {
  return [...fields.values()].flatMap((field) =>
    visit(field, field.name, []).map((found) => ({ member: field.name, ...found })),
  );
}

/** The field as a record names it. */
export const describeTextField = ({ member, path, rule }: TextField) => JSON.stringify([member, path, rule]);

/** The field that a record names. */
export function parseTextField(text: string): TextField {
  // It was written by `describeTextField`.
  const [member, path, rule] = JSON.parse(text) as [string, string, string];
  return { member, path, rule };
}

function visit(
  { type }: Field,
  path: string,
  seen: readonly EmbeddedType[],
): Pick<TextField, 'path' | 'rule'>[] {
  if (type.kind !== 'embedded') {
    if (familyOf(type) !== 'text') return [];
    const isRich = type.kind === 'scalar' && type.scalar === 'RichText';
    return [{ path, rule: `${isRich ? 'rich' : 'plain'} ${wordRules}` }];
  }
  if (seen.includes(type.type)) return [];
  const members = [...type.type.fields.values()];
  return members.flatMap((member) => visit(member, `${path}.${member.name}`, [...seen, type.type]));
}
