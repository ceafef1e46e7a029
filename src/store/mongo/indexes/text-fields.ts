/**
 * The text fields of a content type, each written to the type's record as a string with its path and its rule: how its texts are split
 * into words, or, of `ordered` values, the scalar and the version of their order keys.
 *
 * The record lists the text fields whose words or keys are stored for all assets. Those of a path are stored once, so two processes
 * cannot have different rules for the same path.
 */
import type { ContentType, EmbeddedType, Field } from '../../../model/content-type.ts';
import { familyOf, isRichText } from '../../../query/operators.ts';
import { orderKeyVersion, orderRuleOf } from '../../../query/order-keys.ts';
import { wordRules } from '../../word-tokens.ts';

/** A field whose words or order keys are stored. */
export interface TextField {
  /** The name of the asset's member that is or contains the field. */
  readonly member: string;
  /** The path of the field, in JSON names. */
  readonly path: string;
  readonly rule: string;
}

/** Lists the text fields of a type; for an embedded type that contains itself, only those of the first level. */
export function textFieldsOf({ fields }: ContentType): TextField[] {
  return [...fields.values()].flatMap((field) =>
    listNested(field, field.name, []).map((found) => ({ member: field.name, ...found })),
  );
}

/** Tells whether order keys are stored for a field, not words. */
export const isOrderRule = ({ rule }: TextField) => rule.startsWith('order ');

/** Writes a field as a string, for a type's record. */
export const describeTextField = ({ member, path, rule }: TextField) => JSON.stringify([member, path, rule]);

/** Reads a field from such a string. */
export function parseTextField(text: string): TextField {
  // Safe: `describeTextField` wrote it.
  const [member, path, rule] = JSON.parse(text) as [string, string, string];
  return { member, path, rule };
}

/** Whether another version of Colophon has made the words of a field. */
export const hasOtherRules = ({ rule }: Pick<TextField, 'rule'>) => !rule.endsWith(` ${wordRules}`);

function listNested(
  { type }: Field,
  path: string,
  seen: readonly EmbeddedType[],
): Pick<TextField, 'path' | 'rule'>[] {
  if (type.kind !== 'embedded') {
    if (familyOf(type) === 'ordered')
      return [{ path, rule: `order ${orderRuleOf(type)} ${orderKeyVersion}` }];
    if (familyOf(type) !== 'text') return [];
    return [{ path, rule: `${isRichText(type) ? 'rich' : 'plain'} ${wordRules}` }];
  }
  if (seen.includes(type.type)) return [];
  const members = [...type.type.fields.values()];
  return members.flatMap((member) => listNested(member, `${path}.${member.name}`, [...seen, type.type]));
}
