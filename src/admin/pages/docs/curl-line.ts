/**
 * A curl command that calls an operation, with what the caller has to fill in between `<` and `>`.
 */
import { toShellWord } from '../../../text/shell-word.ts';
import type { Operation, Parameter } from './read-document.ts';

/** The command line for an operation of the server at `serverUrl`: with the required parameters, and all that have an example. */
export function toOperationCurl(operation: Operation, serverUrl: string): string {
  const { method, path, parameters, credentials, body } = operation;
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => `<${name}>`);
  const query = parameters
    .filter(({ place, isRequired }) => place === 'query' && isRequired)
    .map((parameter) => `${encodeURIComponent(parameter.name)}=${toValue(parameter)}`)
    .join('&');
  const headers = [
    ...credentials,
    ...parameters
      .filter(({ place, isRequired }) => place === 'header' && isRequired)
      .map((parameter) => `${parameter.name}: ${toValue(parameter)}`),
    ...(body ? [`Content-Type: ${body.mediaTypes[0]}`] : []),
  ];
  return [
    method === 'GET' ? 'curl' : `curl -X ${method}`,
    ...headers.map((header) => `-H ${toShellWord(header)}`),
    ...(body ? [`-d ${toShellWord(toBody(body.example))}`] : []),
    toShellWord(`${serverUrl}${filled}${query === '' ? '' : `?${query}`}`),
  ].join(' \\\n  ');
}

const toValue = ({ name, example }: Parameter): string =>
  example === undefined ? `<${name}>` : encodeURIComponent(String(example));

const toBody = (example: unknown): string => (example === undefined ? '<body>' : JSON.stringify(example));
