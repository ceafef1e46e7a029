/**
 * Converts the errors of a request validator to a domain error: with paths in JSON notation, and with the wording that the
 * content service uses.
 */
import { type DomainError, invalidBody, invalidParameter, type Problem } from '../../base/errors.ts';
import { lengthMessage } from '../../model/values/validate-scalar.ts';

/** An error of the validator, with the members we use; `instancePath` points into `{path, query, header, requestBody}`. */
export interface Finding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Creates the error for findings: it names the first invalid parameter, or else all problems of the body. */
export function toValidationError(findings: readonly Finding[]): DomainError {
  const parameterFinding = findings.find((finding) => !isInBody(finding));
  if (!parameterFinding) return invalidBody(toProblems(findings));
  const { path, message } = toProblem(parameterFinding);
  return invalidParameter(path, message);
}

/** Tells whether a finding concerns the body, not a parameter. */
export function isInBody({ instancePath }: Finding): boolean {
  return instancePath === '/requestBody' || instancePath.startsWith('/requestBody/');
}

/**
 * Converts findings to problems of the body. Of very many, the later ones are left out, except the first one at each place: what is
 * wrong in one operation of a batch is not hidden by what is wrong in others.
 */
export function toProblems(findings: readonly Finding[]): Problem[] {
  const places = new Set<string>();
  const isFirst = ({ instancePath }: Finding, index: number) => {
    if (findings[index - 1]?.instancePath === instancePath) return false;
    const place = instancePath.split('/', 5).join('/');
    return !places.has(place) && places.add(place);
  };
  return (
    findings
      .filter((finding, index) => index < enoughFindings || isFirst(finding, index))
      // A finding of `if` only repeats that its `then` failed.
      .filter(({ keyword }) => keyword !== 'if')
      .map(toProblem)
  );
}

/** Enough for a hundred problems in each of a hundred operations. */
const enoughFindings = 10_000;

function toProblem(finding: Finding): Problem {
  const { missingProperty, additionalProperty } = finding.params;
  const member = missingProperty ?? additionalProperty;
  const names = finding.instancePath.split('/').slice(2).map(unescapePointer);
  const path = toJsonPath(typeof member === 'string' ? [...names, member] : names);
  return { path, message: reasonOf(finding) };
}

const unescapePointer = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** Joins names and indexes, such as `mappings[0].query`. */
function toJsonPath(names: readonly string[]): string {
  return names.reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');
}

function reasonOf(finding: Finding): string {
  const { keyword, params, message = 'is not valid' } = finding;
  const { limit, type, allowedValues, pattern } = params;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return isInBody(finding) ? 'is not a known member' : 'is not a parameter of this operation';
    case 'repeated':
      return 'is given more than once';
    case 'type':
      return `must be ${[type].flat().map(nameType).join(' or ')}`;
    case 'enum':
      return `must be one of ${[allowedValues].flat().join(', ')}`;
    case 'minLength':
      return lengthMessage(Number(limit), 'characters');
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return lengthMessage(Number(limit), 'items');
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'pattern':
      return `must match ${pattern}`;
    default:
      return message;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const nameType = (type: unknown) => typeNames[String(type)] ?? String(type);
