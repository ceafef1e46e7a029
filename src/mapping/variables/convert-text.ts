/**
 * One text of a query string or a form, to a value of the type it is declared for.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { InputType } from '../../graphql/operation.ts';
import { scalars } from '../../model/values/scalars.ts';

/**
 * Converts a text; for a list it is the only element.
 *
 * Errors: invalid_parameter, naming `parameter`.
 */
export function convertText(text: string, type: InputType, parameter: string): unknown {
  switch (type.kind) {
    case 'scalar': {
      const { expected, fromText, accepts } = scalars[type.name];
      const value = fromText(text);
      if (value === undefined || !accepts(value)) throw invalidParameter(parameter, `must be ${expected}`);
      return value;
    }
    case 'enum':
      if (type.values.includes(text)) return text;
      throw invalidParameter(parameter, `must be one of ${type.values.join(', ')}`);
    case 'list':
      return [convertText(text, type.of, parameter)];
    case 'object':
      throw invalidParameter(
        parameter,
        `is an object: give its members, such as ${exampleOf(type, parameter)}`,
      );
  }
}

function exampleOf({ members }: InputType & { kind: 'object' }, parameter: string): string {
  const [member = ''] = members.keys();
  return JSON.stringify(`${parameter}/${member}`);
}
