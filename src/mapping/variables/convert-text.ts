/**
 * One text of a query string or a form, to a value of the type it is declared for.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { InputType } from '../../graphql/operation.ts';
import { expectedFor, scalars } from '../../model/values/scalars.ts';
import { suggest } from '../../text/suggest.ts';

/**
 * Converts a text; for a list it is the only element.
 *
 * Errors: invalid_parameter, naming `parameter`.
 */
export function convertText(text: string, type: InputType, parameter: string): unknown {
  switch (type.kind) {
    case 'scalar': {
      const { fromText, accepts } = scalars[type.name];
      const value = fromText(text);
      if (value === undefined || !accepts(value)) {
        throw invalidParameter(parameter, `must be ${expectedFor(type.name, text)}`);
      }
      return value;
    }
    case 'enum':
      if (type.values.includes(text)) return text;
      throw invalidParameter(parameter, oneOf(type.values, text));
    case 'list':
      return [convertText(text, type.of, parameter)];
    case 'object':
      throw invalidParameter(
        parameter,
        `is an object: give its members, such as ${exampleOf(type, parameter)}`,
      );
  }
}

/** Words that a value is none of an enum's, with what may have been meant. */
export function oneOf(values: readonly string[], given: unknown): string {
  return `must be one of ${values.join(', ')}${typeof given === 'string' ? suggest([given], values) : ''}`;
}

function exampleOf({ members }: InputType & { kind: 'object' }, parameter: string): string {
  const [member = ''] = members.keys();
  // What is appended to a list has no members of its own: an index names the element.
  return JSON.stringify(`${parameter.replace(/\[\]$/, '[0]')}/${member}`);
}
