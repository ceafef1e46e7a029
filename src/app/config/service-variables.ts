/**
 * Environment variables that Kubernetes sets in every container for each service of its namespace. The names of those for a service
 * `colophon`, or `colophon-…`, begin with COLOPHON_ like Colophon's settings.
 */
import { isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

const port = String.raw`\d{1,5}`;
const protocol = '(?:tcp|udp|sctp)';
const url = `${protocol}://.+:${port}`;

/** The endings of their names, each with a test of the value. */
const forms: readonly (readonly [ending: RegExp, matches: (value: string) => boolean])[] = [
  [/_SERVICE_HOST$/, (value) => isIP(value) > 0],
  [/_SERVICE_PORT(?:_[A-Z0-9_]+)?$/, matching(port)],
  [/_PORT(?:_\d+_(?:TCP|UDP|SCTP))?$/, matching(url)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_PROTO$/, matching(protocol)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_PORT$/, matching(port)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_ADDR$/, (value) => isIP(value) > 0],
];

/** Finds the names of such variables. Name and value must both match, because the name alone may be a misspelled setting. */
export function findServiceVariables(environment: Environment): string[] {
  return Object.entries(environment)
    .filter(([name]) => name.startsWith('COLOPHON_'))
    .filter(([name, value = '']) => forms.some(([ending, matches]) => ending.test(name) && matches(value)))
    .map(([name]) => name);
}

function matching(pattern: string): (value: string) => boolean {
  const whole = new RegExp(`^${pattern}$`);
  return (value) => whole.test(value);
}
