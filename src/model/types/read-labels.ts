/**
 * Reads how people name and arrange types, fields and values of enums: `@label` and `@group`. Only the admin UI uses them.
 */
import type { GraphQLEnumType, GraphQLNamedType } from 'graphql';
import type { SourceProblem } from '../../base/errors.ts';
import { type Field, type LabelColor, labelColors, type ValueLabel } from '../content-type.ts';
import { problemAt } from './parse-types.ts';
import { type DirectiveOwner, type DirectiveReader, findDirectives } from './read-directives.ts';
import type { SchemaReading } from './schema-reading.ts';

type Reading = Pick<SchemaReading, 'directives' | 'problems'>;

/** The most characters of a label or a name of a group. */
const maxLength = 60;

/** Reads the label and the group of a type or a field; `owner` names it in problems. */
export function readLabels(
  reading: Reading,
  owner: string,
  node: DirectiveOwner,
): Pick<Field, 'label' | 'group'> {
  const values = reading.directives.read(node, 'label');
  if (values && values.text == null) report(reading, node, `${owner}: @label needs a text here`);
  if (values && values.color != null)
    report(reading, node, `${owner}: @label has a color only on values of enums`);
  const label = readText(reading, owner, { node, name: 'label', value: values?.text });
  const group = readText(reading, owner, {
    node,
    name: 'group',
    value: reading.directives.read(node, 'group')?.name,
  });
  return { ...(label !== undefined && { label }), ...(group !== undefined && { group }) };
}

/** Reads the labels of the values of an enum that have one. */
export function readValueLabels(reading: Reading, type: GraphQLEnumType): Map<string, ValueLabel> {
  const labels = new Map<string, ValueLabel>();
  for (const { name, astNode } of type.getValues()) {
    const values = reading.directives.read(astNode, 'label');
    if (!values) continue;
    const owner = `${type.name}.${name}`;
    const text = readText(reading, owner, { node: astNode, name: 'label', value: values.text });
    const color = values.color == null ? undefined : String(values.color);
    if (text === undefined && color === undefined)
      report(reading, astNode, `${owner}: @label needs a text or a color`);
    if (color !== undefined && !isLabelColor(color))
      report(
        reading,
        astNode,
        `${owner}: @label has the color ${color}; there are ${labelColors.join(', ')}`,
      );
    else labels.set(name, { ...(text !== undefined && { text }), ...(color !== undefined && { color }) });
  }
  return labels;
}

/** Finds groups of types that are no content types: only these stand in the navigation. */
export function findMisplacedGroups(
  classes: SchemaReading['classes'],
  named: readonly GraphQLNamedType[],
): SourceProblem[] {
  return named
    .filter(({ name }) => !classes.has(name))
    .flatMap(({ name, astNode }) =>
      findDirectives(astNode, 'group').map((node) =>
        problemAt(node, `${name}: @group on a type is for types with @contentType`),
      ),
    );
}

const isLabelColor = (color: string): color is LabelColor => labelColors.some((known) => known === color);

function readText(
  reading: { readonly directives: DirectiveReader; readonly problems: SourceProblem[] },
  owner: string,
  { node, name, value }: { node: DirectiveOwner; name: string; value: unknown },
): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text !== '' && text.length <= maxLength && !/\p{C}/u.test(text)) return text;
  report(reading, node, `${owner}: @${name} needs a text of 1 to ${maxLength} characters in one line`);
  return undefined;
}

function report({ problems }: Pick<Reading, 'problems'>, node: DirectiveOwner, message: string): void {
  problems.push(problemAt(node, message));
}
