/**
 * Variables that Kubernetes gives to every container, for each service of its namespace: those of a service `colophon`, or
 * `colophon-…`, begin as ours do.
 */
import { isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

const port = String.raw`\d{1,5}`;
const protocol = '(?:tcp|udp|sctp)';
const url = `${protocol}://.+:${port}`;

/** The ends of their names, each with what its value looks like. */
const forms: readonly (readonly [end: RegExp, fits: (value: string) => boolean])[] = [
  [/_SERVICE_HOST$/, (value) => isIP(value) > 0],
  [/_SERVICE_PORT(?:_[A-Z0-9_]+)?$/, matching(port)],
  [/_PORT(?:_\d+_(?:TCP|UDP|SCTP))?$/, matching(url)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_PROTO$/, matching(protocol)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_PORT$/, matching(port)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_ADDR$/, (value) => isIP(value) > 0],
];

/** Finds the names of such variables. What only looks like one by its name is none: it may be a setting that is misspelled. */
export function findServiceVariables(environment: Environment): string[] {
  return Object.entries(environment)
    .filter(([name]) => name.startsWith('COLOPHON_'))
    .filter(([name, value = '']) => forms.some(([end, fits]) => end.test(name) && fits(value)))
    .map(([name]) => name);
}

function matching(pattern: string): (value: string) => boolean {
  const whole = new RegExp(`^${pattern}$`);
  return (value) => whole.test(value);
}
